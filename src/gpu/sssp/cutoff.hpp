// The limit of distances that --cutoff sets, as a 32-bit word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "algo/sssp/distance.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

/// The smallest distance above the cutoff.
[[nodiscard]] inline std::uint32_t end_of_cutoff(WeightType type, double cutoff, std::uint32_t infinity)
{
    if (type == WeightType::uint32) return std::min(algo::bound_of_cutoff<std::uint32_t>(cutoff), infinity);
    return std::bit_cast<std::uint32_t>(algo::bound_of_cutoff<float>(cutoff));
}

}  // namespace wayfront::gpu::sssp
