// The clock that all multiprocessors of a GPU share.
#pragma once

#include <cstdint>

namespace wayfront::gpu {

/// Nanoseconds since some moment. The resolution depends on the GPU, and may be about 1 us.
__device__ inline std::uint64_t now()
{
    std::uint64_t nanoseconds = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

}  // namespace wayfront::gpu
