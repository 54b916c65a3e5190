// Totals over the threads of a kernel.
#pragma once

#include "gpu/runtime/counts.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// Reduces `value` into a word of a total in global memory, atomically.
template <typename Counts>
__device__ void reduce_word(int word, unsigned long long* total, std::uint64_t value)
{
    if (Counts::reduction(word) == WordReduction::sum)
        atomicAdd(total, static_cast<unsigned long long>(value));
    else
        atomicMin(total, static_cast<unsigned long long>(value));
}

/// Reduces the words of the lanes of a warp. Lane 0 returns the result. All lanes call.
template <typename Counts>
__device__ CountWords<Counts> reduce_lanes(CountWords<Counts> own)
{
    if (!__any_sync(kAllLanes, !own.is_none())) return own;
    for (int offset = 16; offset > 0; offset /= 2) {
#pragma unroll
        for (int i = 0; i < kCountWords<Counts>; ++i)
            own.words[i] =
                CountWords<Counts>::reduced(i, own.words[i], __shfl_down_sync(kAllLanes, own.words[i], offset));
    }
    return own;
}

/// Reduces the counts of the threads of a block. Thread 0 returns the result. All threads of the
/// block call. The call contains a barrier of the block: shared memory that threads read before the
/// call may be overwritten after the call. Between two calls, another barrier is required.
///
/// Warps combine their results in shared memory without atomic operations, since atomic operations
/// on 64-bit words are loops there.
template <typename Counts>
__device__ CountWords<Counts> reduce_block(const Counts& own)
{
    using Words = CountWords<Counts>;
    __shared__ Words of_warps[32];
    const Words of_warp = reduce_lanes<Counts>(Words::of(own));
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = of_warp;
    __syncthreads();
    if (threadIdx.x >= 32) return Words::none();
    return reduce_lanes<Counts>(threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : Words::none());
}

/// Reduces the counts of all threads of the grid into `total`, which is CountWords::none() at
/// first. All threads of a block call, with the rules of reduce_block(). Blocks have whole warps.
template <typename Counts>
__device__ void add_to_total(const Counts& own, CountWords<Counts>& total)
{
    const CountWords<Counts> whole = reduce_block(own);
    if (threadIdx.x != 0 || whole.is_none()) return;
#pragma unroll
    for (int i = 0; i < kCountWords<Counts>; ++i)
        reduce_word<Counts>(i, reinterpret_cast<unsigned long long*>(&total.words[i]), whole.words[i]);
}

}  // namespace wayfront::gpu
