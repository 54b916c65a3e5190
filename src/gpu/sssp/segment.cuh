// Segments of lists in device memory. Each segment belongs to one thread block.
//
// A counter that all blocks share would be the bottleneck of a search, since the L2 cache executes
// additions to one address one after the other. A segment has a counter in the shared memory of its
// block, and only this block reads the segment. Segments suit lists that a loop fills whose items
// are distributed evenly over the blocks.
#pragma once

#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::sssp {

/// A thread's view of the segment of its block.
template <typename T>
class Segment
{
public:
    /// `segments`: the segments of all blocks, of `capacity` items each. `count`: the number of
    /// items of this block, in shared memory.
    __device__ Segment(T* segments, std::uint32_t capacity, std::uint32_t& count)
        : items_(segments + std::uint64_t{blockIdx.x} * capacity), count_(count)
    {
    }

    /// Empties the segment. All threads of the block call; a barrier of the block must follow.
    __device__ void clear()
    {
        if (threadIdx.x == 0) count_ = 0;
    }

    /// Appends the item of each lane for which `wanted` is set. All lanes of a warp call.
    __device__ void append(bool wanted, const T& item)
    {
        const std::uint32_t lanes = __ballot_sync(kAllLanes, wanted);
        if (lanes == 0) return;
        std::uint32_t first = 0;
        if (lane_id() == 0) first = atomicAdd(&count_, static_cast<std::uint32_t>(__popc(lanes)));
        first = __shfl_sync(kAllLanes, first, 0);
        if (wanted) items_[first + lanes_below(lanes)] = item;
    }

    /// A barrier of the block is required between the last append and a call of these functions.
    [[nodiscard]] __device__ const T* items() const { return items_; }
    [[nodiscard]] __device__ std::uint32_t count() const { return count_; }

private:
    T* items_;
    std::uint32_t& count_;
};

}  // namespace wayfront::gpu::sssp
