// Pushes along long lists: lists with many arcs below the limit.
//
// A thread block collects the lists whose first four arcs are all below the limit, and all its
// warps share them. First, a group of lanes continues each list; the groups are smaller if there
// are many lists. If all arcs of a group are below the limit, a warp searches the list for the
// first arc at or beyond the limit, and divides the arcs before it into parts of 64 arcs. The parts
// of all lists are distributed to the warps. So a list of thousands of arcs takes hardly longer than a
// short list.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/push.cuh"

namespace wayfront::gpu::sssp {

/// Empties the long lists. A barrier of the block must follow.
template <typename Distance, Reach kReach>
__device__ inline void Push<Distance, kReach>::clear_long_lists()
{
    if (threadIdx.x == 0) stores_.long_count = stores_.continued_count = 0;
    is_full_ = false;
}

/// Appends a list of each lane for which `wanted` is set to the long lists of the block. All lanes
/// of a warp call.
template <typename Distance, Reach kReach>
__device__ inline void Push<Distance, kReach>::append_long_list(bool wanted, const typename Stores::LongList& item)
{
    const std::uint32_t lanes = __ballot_sync(kAllLanes, wanted);
    if (lanes == 0) return;
    const auto count = static_cast<std::uint32_t>(__popc(lanes));
    std::uint32_t first = 0;
    if (lane_id() == 0) first = atomicAdd(&stores_.long_count, count);
    first = __shfl_sync(kAllLanes, first, 0);
    if (wanted) stores_.long_lists[first + lanes_below(lanes)] = item;
    is_full_ = is_full_ || first + count > Stores::kLongLists - Stores::kVisited;
}

/// Relaxes the long lists if the lists of the next visits might find no room. All threads of the
/// block call.
template <typename Distance, Reach kReach>
__device__ inline void Push<Distance, kReach>::make_room()
{
    if (__syncthreads_or(is_full_) != 0) follow_long_lists();
}

/// The block relaxes the arcs below the limit of its long lists. All threads of the block call.
template <typename Distance, Reach kReach>
__device__ inline void Push<Distance, kReach>::follow_long_lists()
{
    __syncthreads();
    const std::uint32_t count = stores_.long_count;
    if (count == 0) return;
    const std::uint32_t left = follow_by_groups(count);
    const std::uint32_t warp = threadIdx.x / 32;
    const std::uint32_t warps = blockDim.x / 32;
#pragma unroll 1
    for (std::uint32_t i = warp; i < left; i += warps) count_parts(stores_.long_lists[stores_.continued[i]]);
    __syncthreads();
    // The parts of all lists are distributed cyclically to the warps. `part`: this warp's next part, counted
    // from the first part of the current list.
    std::uint32_t part = warp;
#pragma unroll 1
    for (std::uint32_t i = 0; i < left; ++i) {
        const typename Stores::LongList item = stores_.long_lists[stores_.continued[i]];
#pragma unroll 1
        for (; part < item.parts; part += warps) {
            const Part relaxed = relax_part(item, item.place + part * kPartArcs, 32);
            if (part + 1 == item.parts) end_list(lane_id() == 0, item, relaxed);
        }
        part -= item.parts;
    }
    __syncthreads();
    clear_long_lists();
    __syncthreads();
}

/// Groups of lanes relax the next arcs of each long list. Returns the number of lists with more
/// arcs to relax. All threads of the block call.
template <typename Distance, Reach kReach>
__device__ inline std::uint32_t Push<Distance, kReach>::follow_by_groups(std::uint32_t count)
{
    std::uint32_t lanes = 32;  // number of lanes per list
    while (lanes > kLeastLanes && count * lanes > blockDim.x) lanes /= 2;
    const std::uint32_t lists = 32 / lanes;  // number of lists per warp
#pragma unroll 1
    for (std::uint32_t first = threadIdx.x / 32 * lists; first < count; first += blockDim.x / 32 * lists) {
        const std::uint32_t i = first + lane_id() / lanes;
        typename Stores::LongList item{};
        if (i < count) item = stores_.long_lists[i];
        const Part relaxed = relax_part(item, item.place, lanes);
        const bool leads = i < count && lane_id() % lanes == 0;
        const bool goes_on = leads && relaxed.all && relaxed.place < item.list.degree();
        end_list(leads && !goes_on, item, relaxed);
        __syncwarp();  // all lanes of the group have read item.place
        if (goes_on) {
            stores_.long_lists[i].place = relaxed.place;
            stores_.continued[atomicAdd(&stores_.continued_count, 1U)] = static_cast<std::uint16_t>(i);
        }
    }
    __syncthreads();
    return stores_.continued_count;
}

/// A warp computes the number of a list's parts up to the first arc that is not below the limit.
/// The last part contains this arc or the end of the list.
template <typename Distance, Reach kReach>
__device__ inline void Push<Distance, kReach>::count_parts(typename Stores::LongList& item) const
{
    const std::uint32_t whole = (item.list.degree() - item.place) / kPartArcs;
    std::uint32_t below = 0;  // number of parts whose arcs are all below the limit
    // Each lane reads the last arc of one part. In long lists, these parts are farther apart.
    std::uint32_t distance = 1;
    while (distance * 32 < whole) distance *= 32;
#pragma unroll 1
    for (; distance > 0; distance /= 32) {
        const std::uint32_t parts = below + (lane_id() + 1) * distance;
        const std::uint32_t last = item.place + parts * kPartArcs - 1;
        const bool is_below = parts <= whole && end_of(item.distance, item.list, last).distance < limit_;
        below += static_cast<std::uint32_t>(__popc(__ballot_sync(kAllLanes, is_below))) * distance;
    }
    const bool ends = item.place + below * kPartArcs >= item.list.degree();
    __syncwarp();
    if (lane_id() == 0) item.parts = below + (ends ? 0 : 1);
}

/// Each group of `lanes` lanes relaxes the arcs of its list from `place` on, two arcs per lane. All
/// lanes of the warp call.
template <typename Distance, Reach kReach>
__device__ inline typename Push<Distance, kReach>::Part Push<Distance, kReach>::relax_part(
    const typename Stores::LongList& item, std::uint32_t place, std::uint32_t lanes)
{
    ArcEnd arc_ends[kBatch];
    std::uint32_t from[kBatch];
#pragma unroll
    for (std::uint32_t k = 0; k < kBatch; ++k) {
        arc_ends[k] = end_of(item.distance, item.list, place + k * lanes + lane_id() % lanes);
        from[k] = item.slot;
    }
    relax(arc_ends, from);
    const std::uint32_t first = lane_id() / lanes * lanes;  // first lane of the group
    const std::uint32_t group = lanes < 32 ? ((1U << lanes) - 1) << first : kAllLanes;
    std::uint32_t below = 0;  // number of arcs below the limit; these arcs come first, since weights ascend
    std::uint32_t next = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < kBatch; ++k) {
        const auto count =
            static_cast<std::uint32_t>(__popc(__ballot_sync(kAllLanes, arc_ends[k].distance < limit_) & group));
        const std::uint32_t beyond =
            __shfl_sync(kAllLanes, arc_ends[k].distance, static_cast<int>(first + count % lanes));
        if (below == k * lanes && count < lanes) next = beyond;
        below += count;
    }
    return {place + below, next, below == kBatch * lanes};
}

/// Stores the progress in a list whose arcs below the limit are all relaxed. `leads`: whether the
/// lane leads such a list. All lanes of the warp call.
template <typename Distance, Reach kReach>
__device__ inline void Push<Distance, kReach>::end_list(bool leads, const typename Stores::LongList& item,
                                                        const Part& part)
{
    const bool ends = part.place >= item.list.degree();
    if (leads) store_progress(item.slot, item.distance, part.place, ends, part.next);
    waiting_.append(leads && !ends && item.joins != 0, item.slot);
}

}  // namespace wayfront::gpu::sssp
