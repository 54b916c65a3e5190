// The hubs' part of a bitmap of all columns in the shared memory of a block: the busiest columns stand first, and most edges lead to them.
#pragma once

#include "gpu/resident/view.hpp"

namespace wayfront::gpu {

/// Copies them; all threads of the block call. `hubs` is on a multiple of 16 bytes.
__device__ inline void load_hubs(const ResidentView& view, const std::uint32_t* bitmap, std::uint32_t* hubs)
{
    const auto* const from = reinterpret_cast<const uint4*>(bitmap);
    auto* const to = reinterpret_cast<uint4*>(hubs);
    __syncthreads();  // what the memory held before has served
    for (std::uint32_t i = threadIdx.x; i < view.hub_words / 4; i += blockDim.x) to[i] = from[i];
    __syncthreads();
}

}  // namespace wayfront::gpu
