// Totals over the threads of a kernel.
#pragma once

#include "gpu/runtime/counts.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// Reduces `value` into a word of a total, in shared or global memory.
template <typename Counts>
__device__ void reduce_word(int word, unsigned long long* total, std::uint64_t value)
{
    if (Counts::reduction(word) == WordReduction::sum)
        atomicAdd(total, static_cast<unsigned long long>(value));
    else
        atomicMin(total, static_cast<unsigned long long>(value));
}

/// Reduces the counts of all threads of the grid into `total`, which begins as CountWords::none().
/// All threads of a block call this together. It is a barrier of the block: shared memory that
/// threads read before the call may be overwritten after it.
template <typename Counts>
__device__ void add_to_total(const Counts& own, CountWords<Counts>& total)
{
    using Words = CountWords<Counts>;
    __shared__ unsigned long long of_block[kCountWords<Counts>];
    if (threadIdx.x == 0) {
#pragma unroll
        for (int i = 0; i < kCountWords<Counts>; ++i) of_block[i] = Words::identity(i);
    }
    __syncthreads();
    Words of_warp = Words::of(own);
    for (int offset = 16; offset > 0; offset /= 2) {
#pragma unroll
        for (int i = 0; i < kCountWords<Counts>; ++i)
            of_warp.words[i] = Words::reduced(i, of_warp.words[i], __shfl_down_sync(kAllLanes, of_warp.words[i], offset));
    }
    if (threadIdx.x % 32 == 0 && !of_warp.is_none()) {
#pragma unroll
        for (int i = 0; i < kCountWords<Counts>; ++i) reduce_word<Counts>(i, &of_block[i], of_warp.words[i]);
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    Words whole;
#pragma unroll
    for (int i = 0; i < kCountWords<Counts>; ++i) whole.words[i] = of_block[i];
    if (whole.is_none()) return;
#pragma unroll
    for (int i = 0; i < kCountWords<Counts>; ++i) reduce_word<Counts>(i, reinterpret_cast<unsigned long long*>(&total.words[i]), whole.words[i]);
}

}  // namespace wayfront::gpu
