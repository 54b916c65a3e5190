// Sums and lists that the threads of a block compute together.
#pragma once

#include <cstdint>

#include "gpu/graph/list_tiles.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// CUDA's atomicAdd for the integer types of this program. Returns the old value.
__device__ inline std::uint64_t add_to(std::uint64_t* sum, std::uint64_t value)
{
    return atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

/// Returns the exclusive prefix sum over a block of kBlockThreads threads, and sets `total` to the
/// sum. `warp_sums` is shared memory; a __syncthreads() is required between two calls with the same
/// `warp_sums`. All threads call.
__device__ inline std::uint64_t block_prefix(std::uint64_t value, std::uint64_t (&warp_sums)[kBlockWarps],
                                             std::uint64_t& total)
{
    std::uint64_t sum = value;
    for (int offset = 1; offset < 32; offset *= 2) {
        const std::uint64_t lower = __shfl_up_sync(kAllLanes, sum, offset);
        if (lane_id() >= static_cast<std::uint32_t>(offset)) sum += lower;
    }
    const std::uint32_t warp = threadIdx.x / 32;
    if (lane_id() == 31) warp_sums[warp] = sum;
    __syncthreads();
    std::uint64_t before = 0;
    total = 0;
    for (std::uint32_t w = 0; w < kBlockWarps; ++w) {
        if (w < warp) before += warp_sums[w];
        total += warp_sums[w];
    }
    return before + sum - value;
}

/// Adds the values of all threads of a block to *sum with one atomic operation. All threads call,
/// once.
__device__ inline void add_block_sum(std::uint64_t* sum, std::uint64_t value)
{
    __shared__ std::uint64_t warp_sums[kBlockWarps];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kAllLanes, value, offset);
    if (lane_id() == 0) warp_sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x != 0) return;
    std::uint64_t total = 0;
    for (const std::uint64_t warp_sum : warp_sums) total += warp_sum;
    if (total != 0) add_to(sum, total);
}

// Number of rows that a warp gathers before it appends them to the list.
inline constexpr std::uint32_t kAppendRoom = 256;

/// The shared memory of a block's appenders.
struct AppendMemory
{
    std::uint32_t rows[kBlockWarps][kAppendRoom];
    std::uint32_t sizes[kBlockWarps];
    std::uint64_t base;
};

/// Gathers the rows of each warp in shared memory and appends them to a list in batches. A batch
/// adds to the list's counter once. At the end, the remaining rows of all warps of a block add to
/// the counter once. If each found row were added to the counter, this would take longer than the
/// level.
class Appender
{
public:
    __device__ Appender(AppendMemory& memory, std::uint32_t* list, std::uint64_t* size)
        : memory_(memory), rows_(memory.rows[threadIdx.x / 32]), list_(list), size_(size)
    {
    }

    /// Adds `row` if `brings` is set. All lanes of a warp call.
    __device__ void add(bool brings, std::uint32_t row)
    {
        const std::uint32_t lanes = __ballot_sync(kAllLanes, brings);
        if (lanes == 0) return;
        const auto count = static_cast<std::uint32_t>(__popc(lanes));
        if (gathered_ + count > kAppendRoom) hand_over();
        if (brings) rows_[gathered_ + lanes_below(lanes)] = row;
        gathered_ += count;
    }

    /// Appends the remaining rows. All threads of the block call, once, at the end.
    __device__ void finish()
    {
        const std::uint32_t warp = threadIdx.x / 32;
        if (lane_id() == 0) memory_.sizes[warp] = gathered_;
        __syncthreads();
        if (threadIdx.x == 0) {
            std::uint64_t total = 0;
            for (const std::uint32_t size : memory_.sizes) total += size;
            memory_.base = total != 0 ? add_to(size_, total) : 0;
        }
        __syncthreads();
        std::uint64_t base = memory_.base;
        for (std::uint32_t w = 0; w < warp; ++w) base += memory_.sizes[w];
        write_to(base);
    }

private:
    __device__ void hand_over()
    {
        std::uint64_t base = 0;
        if (lane_id() == 0) base = add_to(size_, gathered_);
        base = __shfl_sync(kAllLanes, base, 0);
        __syncwarp();  // lanes read rows that other lanes wrote
        write_to(base);
        __syncwarp();  // the next rows overwrite the rows that have been read
        gathered_ = 0;
    }

    __device__ void write_to(std::uint64_t base) const
    {
        for (std::uint32_t i = lane_id(); i < gathered_; i += 32) list_[base + i] = rows_[i];
    }

    AppendMemory& memory_;
    std::uint32_t* rows_;
    std::uint32_t* list_;
    std::uint64_t* size_;
    std::uint32_t gathered_ = 0;  // the same in all lanes
};

}  // namespace wayfront::gpu
