// Distances as 32-bit words whose unsigned order is the order of the distances.
#pragma once

#include <cstdint>
#include <utility>

#include "gpu/graph/arc_lists.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu {

/// The upper bound of a distance before a pull has visited the vertex, whose lower bound is then a
/// LightestArcs. No distance is as large, as the sum of all float weights is less, and whole sums as
/// large do not fit.
template <typename Distance>
inline constexpr std::uint32_t kUnvisited = Distance::kInfinity - 1;

/// Lengths of paths with float weights: sums are rounded once for each edge, as Dijkstra's
/// algorithm rounds them. No weight is negative.
struct FloatDistance
{
    static constexpr std::uint32_t kInfinity = kInfiniteFloat;
    static constexpr bool kOverflows = false;

    [[nodiscard]] static __device__ std::uint32_t sum(std::uint32_t distance, std::uint32_t weight)
    {
        return __float_as_uint(__fadd_rn(__uint_as_float(distance), __uint_as_float(weight)));
    }

    /// 16 bits of a weight, rounded down; in the same order.
    [[nodiscard]] static __device__ std::uint32_t shortened(std::uint32_t weight) { return weight >> 15; }
    [[nodiscard]] static __device__ std::uint32_t lengthened(std::uint32_t half) { return half << 15; }
};

/// Lengths of paths with whole weights. A sum that does not fit, or is kUnvisited, is kInfinity.
struct WholeDistance
{
    static constexpr std::uint32_t kInfinity = kInfiniteWhole;
    static constexpr bool kOverflows = true;

    [[nodiscard]] static __device__ std::uint32_t sum(std::uint32_t distance, std::uint32_t weight)
    {
        const std::uint32_t whole = distance + weight;
        return whole < distance || whole >= kInfinity - 1 ? kInfinity : whole;
    }

    /// 16 bits of a weight as a float, rounded down; in the same order.
    [[nodiscard]] static __device__ std::uint32_t shortened(std::uint32_t weight) { return __float_as_uint(__uint2float_rd(weight)) >> 15; }
    [[nodiscard]] static __device__ std::uint32_t lengthened(std::uint32_t half) { return __float2uint_rd(__uint_as_float(half << 15)); }
};

/// The weights of the two lightest arcs of a vertex in one word, 16 bits each. They bound the
/// distance of a vertex about which nothing else is known: its neighbours are not nearer than
/// `least`, so that the way by its lightest arc is the shortest that there can be.
template <typename Distance>
struct LightestArcs
{
    std::uint32_t word = 0;

    [[nodiscard]] static __device__ LightestArcs of(std::uint32_t lightest, std::uint32_t second)
    {
        return {Distance::shortened(lightest) << 16 | Distance::shortened(second)};
    }

    /// A lower bound of the ways to the vertex that do not come from the other end of an arc of this
    /// weight, as a way there and back is of no use to that end. If the weight is rounded to that of
    /// the lightest arc, it is this arc, or the two lightest arcs are rounded to the same weight.
    [[nodiscard]] __device__ std::uint32_t bound(std::uint32_t least, std::uint32_t weight) const
    {
        const std::uint32_t lightest = word >> 16;
        return Distance::sum(least, Distance::lengthened(Distance::shortened(weight) == lightest ? word & 0xFFFF : lightest));
    }
};

/// Calls f with a WholeDistance or a FloatDistance. `type`: uint32 or float32.
template <typename F>
void with_distance(WeightType type, F&& f)
{
    if (type == WeightType::uint32)
        f(WholeDistance{});
    else
        f(FloatDistance{});
}

}  // namespace wayfront::gpu
