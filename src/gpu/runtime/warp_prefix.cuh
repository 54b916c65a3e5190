// Sums over the lanes of a warp.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// Returns the exclusive prefix sum over a warp, and sets `total` to the sum. All lanes call.
__device__ inline std::uint32_t warp_prefix(std::uint32_t value, std::uint32_t& total)
{
    std::uint32_t sum = value;
    for (int offset = 1; offset < 32; offset *= 2) {
        const std::uint32_t lower = __shfl_up_sync(kAllLanes, sum, offset);
        if (lane_id() >= static_cast<std::uint32_t>(offset)) sum += lower;
    }
    total = __shfl_sync(kAllLanes, sum, 31);
    return sum - value;
}

}  // namespace wayfront::gpu
