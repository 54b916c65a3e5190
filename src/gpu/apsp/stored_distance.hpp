// How the matrices of Floyd-Warshall store distances, on the host and on the GPU. Needs no nvcc.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/apsp/floyd_warshall_view.hpp"
#include "graph/distances.hpp"

namespace wayfront::gpu {

/// Constants of the sums (min_plus.cuh).
inline constexpr std::uint32_t kFloatInfinity = 0x7F800000;
inline constexpr std::uint32_t kUnsignedWholeInfinity = 0x7FFFFFFF;
inline constexpr std::uint32_t kWholeInfinity = 0x3FFFFFFF;
inline constexpr int kMostWhole = (1 << 28) - 1;
inline constexpr std::uint32_t kShortInfinity = 0x7FFF;

template <MinPlusSums sums>
struct StoredDistance
{
    /// The type in which the matrix has a distance, as bits, and of rows: float, int32 or uint16.
    using Element = std::conditional_t<sums == MinPlusSums::shorts, std::uint16_t, std::uint32_t>;

    static constexpr std::uint32_t infinity()
    {
        if (sums == MinPlusSums::shorts) return kShortInfinity;
        if (sums == MinPlusSums::unsigned_wholes) return kUnsignedWholeInfinity;
        return sums == MinPlusSums::wholes ? kWholeInfinity : kFloatInfinity;
    }

    /// The distance along an arc, given the bits of its weight.
    static constexpr std::uint32_t of_weight(std::uint32_t weight)
    {
        if (sums == MinPlusSums::shorts || sums == MinPlusSums::unsigned_wholes) return weight < infinity() ? weight : infinity();
        if (sums == MinPlusSums::wholes) return static_cast<std::int32_t>(weight) < static_cast<std::int32_t>(infinity()) ? weight : infinity();
        return weight;
    }

    /// An element of a row, given the distance.
    static constexpr std::uint32_t element(std::uint32_t distance)
    {
        if (sums == MinPlusSums::shorts) return distance < infinity() ? distance : unreached<std::uint16_t>();
        if (sums == MinPlusSums::wholes)
            return static_cast<std::int32_t>(distance) <= kMostWhole ? distance : static_cast<std::uint32_t>(unreached<std::int32_t>());
        return distance;  // the infinity of unsigned wholes is that of int32
    }

    /// The same as the bits of an element of 16 or 32 bits.
    template <typename Out>
    static constexpr Out as(std::uint32_t distance)
    {
        if constexpr (sizeof(Out) < sizeof(Element))
            return distance < infinity() ? static_cast<Out>(distance) : unreached<Out>();
        else
            return static_cast<Out>(element(distance));
    }
};

}  // namespace wayfront::gpu
