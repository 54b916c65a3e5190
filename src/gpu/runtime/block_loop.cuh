// Loops in which all threads of a block make the same number of iterations, so that each iteration
// may contain a barrier of the block.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// Calls item(i, i < count) so that all i below `count` are covered, spread over all threads of the
/// kernel. All threads of a block make the same number of calls.
template <typename F>
__device__ void for_each_together(std::uint64_t count, F&& item)
{
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x; first < count; first += index_stride())
        item(first + threadIdx.x, first + threadIdx.x < count);
}

}  // namespace wayfront::gpu
