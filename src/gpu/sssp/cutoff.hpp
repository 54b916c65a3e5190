// The limit of distances that --cutoff sets, as a 32-bit word.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "graph/block_weights.hpp"

namespace wayfront::gpu {

/// The smallest distance above the cutoff.
[[nodiscard]] inline std::uint32_t end_of_cutoff(WeightType type, double cutoff, std::uint32_t infinity)
{
    if (type == WeightType::uint32) return cutoff >= infinity ? infinity : static_cast<std::uint32_t>(std::floor(cutoff)) + 1;
    float nearest = cutoff < std::numeric_limits<float>::max() ? static_cast<float>(cutoff) : std::numeric_limits<float>::infinity();
    if (static_cast<double>(nearest) <= cutoff) nearest = std::nextafter(nearest, std::numeric_limits<float>::infinity());
    return std::bit_cast<std::uint32_t>(nearest);
}

}  // namespace wayfront::gpu
