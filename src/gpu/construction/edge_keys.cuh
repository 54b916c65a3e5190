// Edges as sort keys, and functions with which kernels write and read many keys.
//
// The key of the edge column -> row is (row - first row of the batch) << column_bits | column. Only
// the bits of rows and columns are sorted, and sorted keys have the order of the lists. Keys have
// at most 62 bits, so that kNoKey, in which all bits are set, is not the key of an edge, and its
// upper bits are not a row.
//
// Kernels write edges as keys alone (PlainKeys), or as keys with the bits of their weights
// (WeightedKeys). Both types are arguments of kernels and determine how a tuple is read.
#pragma once

#include <cstdint>

#include "gpu/construction/construction_plans.hpp"
#include "gpu/construction/tuple_source.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::construction {

inline constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
inline constexpr int kTupleThreads = 256;  // number of threads in a block in passes over tuples
inline constexpr int kWarps = kTupleThreads / 32;
inline constexpr int kLoadsAhead = 8;  // number of a thread's loads in flight together

/// The array to which keys are written, and the number of keys in it.
struct PlainKeys
{
    std::uint64_t* keys;
    unsigned long long* end;

    struct Staged
    {
        static constexpr std::uint32_t kCapacity = 512;  // number of keys of a warp; 32 KB for each thread block
        std::uint64_t keys[kCapacity];
    };
    static __device__ void stage(Staged& staged, std::uint32_t i, std::uint64_t key) { staged.keys[i] = key; }
    __device__ void write(std::uint64_t place, const Staged& staged, std::uint32_t i) const
    {
        keys[place] = staged.keys[i];
    }

    template <typename Tuples, typename F>
    static __device__ void for_each_pair(const Tuples& tuples, F&& f)
    {
        tuples.for_each_pair(f);
    }
};

/// The arrays to which keys and the bits of the edges' weights are written, and the number of keys
/// in them.
struct WeightedKeys
{
    std::uint64_t* keys;
    std::uint32_t* weights;
    unsigned long long* end;

    struct Staged
    {
        static constexpr std::uint32_t kCapacity = 384;  // for each warp; 36 KB for each block
        std::uint64_t keys[kCapacity];
        std::uint32_t weights[kCapacity];
    };
    static __device__ void stage(Staged& staged, std::uint32_t i, std::uint64_t key, std::uint32_t weight)
    {
        staged.keys[i] = key;
        staged.weights[i] = weight;
    }
    __device__ void write(std::uint64_t place, const Staged& staged, std::uint32_t i) const
    {
        keys[place] = staged.keys[i];
        weights[place] = staged.weights[i];
    }

    template <typename Tuples, typename F>
    static __device__ void for_each_pair(const Tuples& tuples, F&& f)
    {
        tuples.for_each_weighted_pair(f);
    }
};

/// Writes a warp's edges to memory. The edges are gathered in shared memory and written without
/// gaps; one atomic addition reserves places for some hundred edges.
template <typename Keys>
class WarpStage
{
public:
    __device__ WarpStage(typename Keys::Staged& staged, Keys keys) : staged_(staged), keys_(keys) {}

    /// Appends the edges of the lanes for which `wanted` is set. All lanes of the warp call.
    template <typename... Weight>
    __device__ void add(bool wanted, std::uint64_t key, Weight... weight)
    {
        const std::uint32_t wanting = __ballot_sync(kAllLanes, wanted);
        if (wanted) Keys::stage(staged_, count_ + lanes_below(wanting), key, weight...);
        count_ += static_cast<std::uint32_t>(__popc(wanting));
    }

    /// Whether there is room for two edges of each lane.
    [[nodiscard]] __device__ bool has_room() const { return count_ + 64 <= Keys::Staged::kCapacity; }

    /// Writes the gathered edges. All lanes of the warp call.
    __device__ void flush()
    {
        __syncwarp();
        unsigned long long first = 0;
        if (lane_id() == 0) first = atomicAdd(keys_.end, static_cast<unsigned long long>(count_));
        first = __shfl_sync(kAllLanes, first, 0);
        for (std::uint32_t i = lane_id(); i < count_; i += 32) keys_.write(first + i, staged_, i);
        __syncwarp();
        count_ = 0;
    }

private:
    typename Keys::Staged& staged_;
    Keys keys_;
    std::uint32_t count_ = 0;  // the same in all lanes
};

/// Calls f(key, previous key, index) for the keys of a tile in order, 32 at a time, one in each
/// lane. A key after the last one or before the first one is kNoKey.
template <typename F>
__device__ void for_each_key(const std::uint64_t* keys, std::uint64_t count, std::uint64_t tile, F&& f)
{
    const std::uint64_t first = tile * kTileKeys;
    std::uint64_t before = first == 0 ? kNoKey : keys[first - 1];
    for (std::uint64_t done = 0; done < kTileKeys; done += 32 * kLoadsAhead) {
        std::uint64_t key[kLoadsAhead];
        const std::uint64_t own = first + done + lane_id();
#pragma unroll
        for (int k = 0; k < kLoadsAhead; ++k) {
            const std::uint64_t i = own + static_cast<std::uint64_t>(32 * k);
            key[k] = i < count ? keys[i] : kNoKey;
        }
#pragma unroll
        for (int k = 0; k < kLoadsAhead; ++k) {
            const auto loaded = static_cast<unsigned long long>(key[k]);
            const std::uint64_t left = __shfl_up_sync(kAllLanes, loaded, 1);
            f(key[k], lane_id() == 0 ? before : left, own + static_cast<std::uint64_t>(32 * k));
            before = __shfl_sync(kAllLanes, loaded, 31);
        }
    }
}

/// A mask of the lanes whose key is the first of several equal keys.
__device__ inline std::uint32_t distinct_lanes(std::uint64_t key, std::uint64_t before)
{
    return __ballot_sync(kAllLanes, key != before && key != kNoKey);
}

}  // namespace wayfront::gpu::construction
