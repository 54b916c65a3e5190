// Pushes of vertices that have many arcs below the limit: if the next four arcs of a vertex are all
// below it, the whole warp goes on with the list, 64 arcs at a time, and after that the whole
// block.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/push.cuh"

namespace wayfront::gpu {

/// The warp goes on with its long lists. Those that are too long for it are left to the block.
template <typename Distance, bool kSeveral>
__device__ inline void Push<Distance, kSeveral>::follow_with_warp(std::uint32_t longs)
{
    if (longs == 0) return;
    typename Stores::LongList(&lists)[Stores::kOfWarp] = stores_.of_warps[threadIdx.x / 32];
    __syncwarp();
#pragma unroll 1
    for (std::uint32_t i = 0; i < longs; ++i) {
        typename Stores::LongList item = lists[i];
        bool more = true;
#pragma unroll 1
        for (std::uint32_t round = 0; more; ++round) {
            if (round >= warp_rounds_ && leave_to_block(item)) break;
            more = follow(item);
        }
        __syncwarp();
        // A list that the block goes on with has none.
        if (lane_id() == 0) {
            lists[i].place = item.place;
            lists[i].next = item.next;
            if (more) lists[i].slot = kLeft;
        }
    }
    __syncwarp();
    const bool own = lane_id() < longs && lists[lane_id() % Stores::kOfWarp].slot != kLeft;
    const typename Stores::LongList item = lists[lane_id() % Stores::kOfWarp];
    const bool ends = item.place >= item.list.degree();
    if (own) note_progress(item.slot, item.distance, item.place, ends, item.next);
    waiting_.append(own && !ends && item.joins, item.slot);
    __syncwarp();
}

/// The warp relaxes the next arcs of a list. Returns whether there are more below the limit.
template <typename Distance, bool kSeveral>
__device__ inline bool Push<Distance, kSeveral>::follow(typename Stores::LongList& item)
{
    Found found[kBatch];
    std::uint32_t from[kBatch];
#pragma unroll
    for (std::uint32_t k = 0; k < kBatch; ++k) {
        found[k] = end_of(item.distance, item.list, item.place + k * 32 + lane_id());
        from[k] = item.slot;
    }
    relax(found, from);
    bool all = true;  // so far; those below the limit come first, since weights ascend
#pragma unroll
    for (std::uint32_t k = 0; k < kBatch; ++k) {
        const std::uint32_t below = __ballot_sync(kAllLanes, found[k].distance < limit_);
        const std::uint32_t beyond = __shfl_sync(kAllLanes, found[k].distance, __popc(below) % 32);
        if (all && below != kAllLanes) item.next = beyond;
        item.place += static_cast<std::uint32_t>(__popc(below));
        all = all && below == kAllLanes;
    }
    return all && item.place < item.list.degree();
}

/// Keeps a list of the warp for the block. Returns whether there was room.
template <typename Distance, bool kSeveral>
__device__ inline bool Push<Distance, kSeveral>::leave_to_block(const typename Stores::LongList& item)
{
    std::uint32_t at = 0;
    if (lane_id() == 0) {
        at = atomicAdd(&stores_.count, 1U);
        if (at < Stores::kOfBlock) stores_.of_block[at] = item;
    }
    return __shfl_sync(kAllLanes, at, 0) < Stores::kOfBlock;
}

/// The block goes on with the lists that were too long for a warp.
template <typename Distance, bool kSeveral>
__device__ inline void Push<Distance, kSeveral>::follow_with_block()
{
    __syncthreads();
    const std::uint32_t count = stores_.count < Stores::kOfBlock ? stores_.count : Stores::kOfBlock;
#pragma unroll 1
    for (std::uint32_t i = 0; i < count; ++i) {
        const typename Stores::LongList item = stores_.of_block[i];
        std::uint32_t place = item.place;
        std::uint32_t below = 0;
#pragma unroll 1
        do {
            Found found[kBatch];
            std::uint32_t from[kBatch];
#pragma unroll
            for (std::uint32_t k = 0; k < kBatch; ++k) {
                found[k] = end_of(item.distance, item.list, place + k * blockDim.x + threadIdx.x);
                from[k] = item.slot;
            }
            relax(found, from);
            below = 0;
            // Those below the limit come first, since weights ascend.
#pragma unroll
            for (std::uint32_t k = kBatch; k-- > 0 && below == 0;)
                if (const auto count = static_cast<std::uint32_t>(__syncthreads_count(found[k].distance < limit_)); count > 0)
                    below = k * blockDim.x + count;
            place += below;
#pragma unroll
            for (std::uint32_t k = 0; k < kBatch; ++k)
                if (k * blockDim.x + threadIdx.x == below) stores_.next_distance = found[k].distance;
        } while (below == kBatch * blockDim.x && place < item.list.degree());
        __syncthreads();
        const bool ends = place >= item.list.degree();
        if (threadIdx.x == 0) note_progress(item.slot, item.distance, place, ends, stores_.next_distance);
        if (threadIdx.x < 32) waiting_.append(threadIdx.x == 0 && item.joins && !ends, item.slot);
        __syncthreads();
    }
}

}  // namespace wayfront::gpu
