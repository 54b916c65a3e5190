// Segments of lists in device memory. Each segment belongs to one block.
//
// A counter that all blocks share is the bottleneck of a whole search: additions to one address
// pass through the L2 cache one after the other. Here a block counts in its shared memory, and it
// reads what it has written itself. This suits lists that are filled by a loop whose items are
// distributed evenly over the blocks.
#pragma once

#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::sssp {

/// A thread's view of the segment of its block.
template <typename T>
class Segment
{
public:
    /// `segments` has the segments of all blocks, with `capacity` items each. `count`, in shared
    /// memory, is the number of items of this block.
    __device__ Segment(T* segments, std::uint32_t capacity, std::uint32_t& count)
        : items_(segments + std::uint64_t{blockIdx.x} * capacity), count_(count)
    {
    }

    /// Makes the segment empty. All threads of the block call; a barrier of the block must follow.
    __device__ void clear()
    {
        if (threadIdx.x == 0) count_ = 0;
    }

    /// Appends the item of each lane that wants it. All lanes of a warp call.
    __device__ void append(bool wanted, const T& item)
    {
        const std::uint32_t lanes = __ballot_sync(kAllLanes, wanted);
        if (lanes == 0) return;
        std::uint32_t first = 0;
        if (lane_id() == 0) first = atomicAdd(&count_, static_cast<std::uint32_t>(__popc(lanes)));
        first = __shfl_sync(kAllLanes, first, 0);
        if (wanted) items_[first + lanes_below(lanes)] = item;
    }

    /// A barrier of the block is needed between the last append and these functions.
    [[nodiscard]] __device__ const T* items() const { return items_; }
    [[nodiscard]] __device__ std::uint32_t count() const { return count_; }

private:
    T* items_;
    std::uint32_t& count_;
};

}  // namespace wayfront::gpu::sssp
