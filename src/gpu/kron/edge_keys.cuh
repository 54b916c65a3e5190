// Edges as sort keys: how kernels write and read many of them.
//
// The key of the edge column -> row is (row - first row of the batch) << column_bits | column. So
// only as many bits have to be sorted as rows and columns have, and the sorted keys are in the
// order of the lists. At most 62 bits are used, so that kNoKey, all ones, is no edge's key, and its
// upper bits are no row.
#pragma once

#include <cstdint>

#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/kron_recursive.cuh"
#include "gpu/kron/numbering.hpp"

namespace wayfront::gpu {

inline constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
inline constexpr int kWarps = TuplePass::kThreads / 32;
inline constexpr std::uint32_t kStagedKeys = 512;  // of each warp; 32 KB for each block
inline constexpr int kLoadsAhead = 8;              // loads that a thread has in flight at once

/// Rows whose edges are sorted together.
struct Batch
{
    std::uint32_t first_row = 0;
    std::uint32_t rows = 0;
    std::uint64_t keys = 0;  // duplicates counted
    int column_bits = 0;
};

/// Writes a warp's keys to memory. The keys are gathered in shared memory and written side by side;
/// one atomic addition reserves places for some hundred keys.
class WarpStage
{
public:
    __device__ WarpStage(std::uint64_t* staged, std::uint64_t* keys, unsigned long long* end) : staged_(staged), keys_(keys), end_(end) {}

    /// Appends the keys of the lanes that have `wanted` set. The whole warp calls.
    __device__ void add(bool wanted, std::uint64_t key)
    {
        const std::uint32_t wanting = __ballot_sync(kAllLanes, wanted);
        if (wanted) staged_[count_ + lanes_below(wanting)] = key;
        count_ += static_cast<std::uint32_t>(__popc(wanting));
    }

    /// Whether there is room for one key of each lane, twice.
    [[nodiscard]] __device__ bool has_room() const { return count_ + 64 <= kStagedKeys; }

    /// Writes the gathered keys. The whole warp calls.
    __device__ void flush()
    {
        __syncwarp();
        unsigned long long first = 0;
        if (lane_id() == 0) first = atomicAdd(end_, static_cast<unsigned long long>(count_));
        first = __shfl_sync(kAllLanes, first, 0);
        for (std::uint32_t i = lane_id(); i < count_; i += 32) keys_[first + i] = staged_[i];
        __syncwarp();
        count_ = 0;
    }

private:
    std::uint64_t* staged_;
    std::uint64_t* keys_;
    unsigned long long* end_;
    std::uint32_t count_ = 0;  // the same in all lanes
};

/// Calls f(key, the key before it) for the keys of a tile in order, 32 at a time, one in each lane.
/// Keys after the last and before the first are kNoKey.
template <typename F>
__device__ void for_each_key(const std::uint64_t* keys, std::uint64_t count, std::uint64_t tile, F&& f)
{
    const std::uint64_t first = tile * kTileKeys;
    std::uint64_t before = first == 0 ? kNoKey : keys[first - 1];
    for (std::uint64_t done = 0; done < kTileKeys; done += 32 * kLoadsAhead) {
        std::uint64_t key[kLoadsAhead];
#pragma unroll
        for (int k = 0; k < kLoadsAhead; ++k) {
            const std::uint64_t i = first + done + static_cast<std::uint64_t>(32 * k) + lane_id();
            key[k] = i < count ? keys[i] : kNoKey;
        }
#pragma unroll
        for (int k = 0; k < kLoadsAhead; ++k) {
            const auto loaded = static_cast<unsigned long long>(key[k]);
            const std::uint64_t left = __shfl_up_sync(kAllLanes, loaded, 1);
            f(key[k], lane_id() == 0 ? before : left);
            before = __shfl_sync(kAllLanes, loaded, 31);
        }
    }
}

/// A mask of the lanes that hold the first of several equal keys.
__device__ inline std::uint32_t distinct_lanes(std::uint64_t key, std::uint64_t before)
{
    return __ballot_sync(kAllLanes, key != before && key != kNoKey);
}

}  // namespace wayfront::gpu
