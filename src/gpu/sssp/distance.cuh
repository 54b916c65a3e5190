// Distances as 32-bit words whose unsigned order is the order of the distances.
#pragma once

#include <cstdint>
#include <utility>

#include "base/host_device.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/sssp/lightest_arcs.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

/// Upper bound of the distance of a vertex while nothing is known of the vertex; LightestArcs then
/// gives its lower bound. No other upper bound is as large: whole sums of this size count as
/// infinite, and if float sums may become as large, the search on the cores replaces this one
/// (search.cu).
template <typename Distance>
inline constexpr std::uint32_t kUnknown = Distance::kInfinity - 1;

/// Lengths of paths with float weights. Each addition of a weight is rounded, as in Dijkstra's
/// algorithm. Weights are not negative.
struct FloatDistance
{
    using Weights = FloatWeights;

    static constexpr std::uint32_t kInfinity = kInfiniteFloat;
    static constexpr bool kOverflows = false;

    [[nodiscard]] static WAYFRONT_HD std::uint32_t sum(std::uint32_t distance, std::uint32_t weight)
    {
        return __builtin_bit_cast(std::uint32_t,
                                  __builtin_bit_cast(float, distance) + __builtin_bit_cast(float, weight));
    }
};

/// Lengths of paths with whole weights. The sum is kInfinity if it does not fit 32 bits, or if it
/// is kUnknown.
struct WholeDistance
{
    using Weights = WholeWeights;

    static constexpr std::uint32_t kInfinity = kInfiniteWhole;
    static constexpr bool kOverflows = true;

    [[nodiscard]] static WAYFRONT_HD std::uint32_t sum(std::uint32_t distance, std::uint32_t weight)
    {
        const std::uint32_t whole = distance + weight;
        return whole < distance || whole >= kUnknown<WholeDistance> ? kInfinity : whole;
    }
};

/// The distance of a vertex with this upper bound; infinity if the bound is kUnknown.
template <typename Distance>
[[nodiscard]] __device__ std::uint32_t known_distance(std::uint32_t upper)
{
    return upper == kUnknown<Distance> ? Distance::kInfinity : upper;
}

/// Calls f with a WholeDistance or a FloatDistance. `type`: uint32 or float32.
template <typename F>
void with_distance(WeightType type, F&& f)
{
    if (type == WeightType::uint32)
        f(WholeDistance{});
    else
        f(FloatDistance{});
}

}  // namespace wayfront::gpu::sssp
