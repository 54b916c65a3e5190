// Lists in device memory to which all thread blocks append.
//
// A counter that each append changes would be the bottleneck of a search, since the L2 cache
// executes additions to one address one after the other. A block therefore collects its items in
// shared memory, and reserves places in the list for all of them at once.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// The items of a block that have not been copied to the list yet, in shared memory.
struct BlockListStore
{
    static constexpr std::uint32_t kCapacity = 3072;

    std::uint32_t items[kCapacity];
    std::uint32_t count;  // number of appended items, including those without room in `items`
    std::uint32_t end;    // number of stored items, if appends found no room
    std::uint32_t place;  // place of the items in the list
};

/// A thread's view of a list. kOfPeers: whether the list may be in another GPU's memory, and blocks
/// of all GPUs append to it.
template <bool kOfPeers = false>
class BlockList
{
public:
    __device__ BlockList(BlockListStore& store, std::uint32_t* list, std::uint32_t* size)
        : store_(store), list_(list), size_(size)
    {
    }

    /// Empties the store. All threads of the block call; a barrier of the block must follow before
    /// the first append.
    __device__ void clear()
    {
        if (threadIdx.x != 0) return;
        store_.count = 0;
        store_.end = BlockListStore::kCapacity;
    }

    /// Appends the item of each lane for which `wanted` is set. All lanes of a warp call.
    __device__ void append(bool wanted, std::uint32_t item)
    {
        const std::uint32_t lanes = __ballot_sync(kAllLanes, wanted);
        if (lanes == 0) return;
        const auto count = static_cast<std::uint32_t>(__popc(lanes));
        std::uint32_t first = 0;
        std::uint32_t place = 0;
        if (lane_id() == 0) {
            first = atomicAdd(&store_.count, count);
            if (first + count > BlockListStore::kCapacity) {
                atomicMin(&store_.end, first);
                place = reserve(count);
            }
        }
        first = __shfl_sync(kAllLanes, first, 0);
        place = __shfl_sync(kAllLanes, place, 0);
        if (!wanted) return;
        if (first + count > BlockListStore::kCapacity)
            list_[place + lanes_below(lanes)] = item;
        else
            store_.items[first + lanes_below(lanes)] = item;
    }

    /// Copies the collected items to the lists. A separate warp reserves the places of each list,
    /// so that the block waits for all lists together. All threads of the block call, once, after
    /// the last append.
    template <typename... Lists>
    static __device__ void flush(Lists&... lists)
    {
        static_assert(sizeof...(lists) > 0, "name the lists: BlockList<>::flush(list)");
        __syncthreads();
        std::uint32_t warp = 0;
        ((threadIdx.x == 32 * warp++ ? lists.reserve_places() : void()), ...);
        __syncthreads();
        (lists.copy(), ...);
    }

    // The steps of flush(), for callers that have an array of lists: one thread calls
    // reserve_places() for a list between two barriers of the block, then all threads call copy().

    __device__ void reserve_places()
    {
        if (collected() > 0) store_.place = reserve(collected());
    }

    __device__ void copy() const
    {
        for (std::uint32_t i = threadIdx.x; i < collected(); i += blockDim.x) list_[store_.place + i] = store_.items[i];
    }

private:
    [[nodiscard]] __device__ std::uint32_t collected() const
    {
        return store_.count < store_.end ? store_.count : store_.end;
    }

    [[nodiscard]] __device__ std::uint32_t reserve(std::uint32_t count)
    {
        return kOfPeers ? atomicAdd_system(size_, count) : atomicAdd(size_, count);
    }

    BlockListStore& store_;
    std::uint32_t* list_;
    std::uint32_t* size_;
};

}  // namespace wayfront::gpu
