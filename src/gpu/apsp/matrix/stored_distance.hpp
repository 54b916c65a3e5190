// The representation of distances in the matrices of Floyd-Warshall, on the host and on the GPU.
// Needs no nvcc.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "graph/distances.hpp"

namespace wayfront::gpu::apsp {

/// Constants of the sums (min_plus.cuh).
inline constexpr std::uint32_t kFloatInfinity = 0x7F800000;
inline constexpr std::uint32_t kUnsignedWholeInfinity = 0x7FFFFFFF;
inline constexpr std::uint32_t kWholeInfinity = 0x3FFFFFFF;
inline constexpr int kMostWhole = (1 << 28) - 1;
inline constexpr std::uint32_t kShortInfinity = 0x7FFF;

template <MinPlusSums sums>
struct StoredDistance
{
    /// The type of a distance's bits in the matrix. Rows have elements of type float, int32 or
    /// uint16.
    using Element = std::conditional_t<sums == MinPlusSums::shorts, std::uint16_t, std::uint32_t>;

    static constexpr std::uint32_t infinity()
    {
        if (sums == MinPlusSums::shorts) return kShortInfinity;
        if (sums == MinPlusSums::unsigned_wholes) return kUnsignedWholeInfinity;
        return sums == MinPlusSums::wholes ? kWholeInfinity : kFloatInfinity;
    }

    /// The stored distance of an arc. A weight above the range is in no shortest path, and becomes
    /// infinite.
    static constexpr Element of_weight(double weight)
    {
        if constexpr (sums == MinPlusSums::unsigned_floats || sums == MinPlusSums::floats) {
            return std::bit_cast<std::uint32_t>(static_cast<float>(weight));
        } else {
            if (!(weight < infinity())) return static_cast<Element>(infinity());
            constexpr double least = std::numeric_limits<std::int32_t>::min();
            return static_cast<Element>(static_cast<std::int32_t>(weight > least ? weight : least));
        }
    }

    /// The bits of a row's element for a stored distance.
    static constexpr std::uint32_t element(std::uint32_t distance)
    {
        if (sums == MinPlusSums::shorts) return distance < infinity() ? distance : unreached<std::uint16_t>();
        if (sums == MinPlusSums::wholes)
            return static_cast<std::int32_t>(distance) <= kMostWhole
                       ? distance
                       : static_cast<std::uint32_t>(unreached<std::int32_t>());
        return distance;  // infinity of unsigned wholes is equal to infinity of int32
    }

    /// The element of type Out for a stored distance.
    template <typename Out>
    static constexpr Out as(std::uint32_t distance)
    {
        using Bits = std::conditional_t<sizeof(Out) == sizeof(std::uint16_t), std::uint16_t, std::uint32_t>;
        if constexpr (sizeof(Bits) < sizeof(Element))
            return std::bit_cast<Out>(distance < infinity() ? static_cast<Bits>(distance) : unreached<Bits>());
        else
            return std::bit_cast<Out>(static_cast<Bits>(element(distance)));
    }
};

/// Distances of 64 bits. Rows may have any type that can represent the distances.
template <>
struct StoredDistance<MinPlusSums::doubles>
{
    using Element = double;

    static constexpr double infinity() { return unreached<double>(); }
    static constexpr double of_weight(double weight) { return weight; }
    template <typename Out>
    static constexpr Out as(double distance)
    {
        return distance < infinity() ? static_cast<Out>(distance) : unreached<Out>();
    }
};

}  // namespace wayfront::gpu::apsp
