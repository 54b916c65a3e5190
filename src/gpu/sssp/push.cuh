// Pushes: reached vertices relax their arcs below the limit.
//
// A list is sorted by weight, so what a vertex has relaxed so far is the beginning of its list; it
// goes on there in the next window. If its distance has become smaller in the meantime, it begins
// again. A vertex whose next arc leads beyond the limit costs one read in a window.
//
// Four lanes take the next four arcs of a vertex. If all of them are below the limit, the whole
// warp goes on, 32 arcs at a time, and after that the whole block.
#pragma once

#include "gpu/sssp/block_list.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu {

/// What a block shares in a step of pushes.
struct PushStores
{
    /// A vertex whose list the whole block goes on with.
    struct LongList
    {
        std::uint32_t slot;
        std::uint32_t distance;
        std::uint32_t place;
        bool joins;  // whether the vertex joins those that wait if its list does not end below the limit
    };
    static constexpr std::uint32_t kLongLists = 256;

    BlockListStore frontier, waiting, reached;
    LongList long_lists[kLongLists];
    std::uint32_t long_count;
    std::uint32_t next_distance;
};

template <typename Distance>
class Push
{
public:
    /// `limit`: paths of this length and longer are left for later. `round`: the number of the
    /// round whose frontier `frontier` is. `window`: the number of the window, whose waiting
    /// vertices are collected. All threads of a block call.
    __device__ Push(const SsspView& view, PushStores& stores, std::uint32_t limit, std::uint32_t round, std::uint32_t* frontier,
                    std::uint32_t* frontier_size, std::uint32_t window, std::uint32_t& relaxed)
        : view_(view),
          limit_(limit),
          round_(round),
          frontier_(stores.frontier, frontier, frontier_size),
          waiting_(stores.waiting, view.waiting[window % 2], &view.sizes->waiting[window % 3]),
          reached_(stores.reached, view.reached, &view.sizes->reached),
          relaxed_(relaxed),
          stores_(stores)
    {
        if (threadIdx.x == 0) stores_.long_count = 0;
        __syncthreads();
    }

    /// The vertices of a frontier relax their arcs.
    __device__ void visit_frontier(const std::uint32_t* frontier, std::uint32_t size)
    {
        for_each_group(size, [&]<std::uint32_t Count>(Group<Count> group) {
#pragma unroll
            for (std::uint32_t k = 0; k < Count; ++k) group.slot[k] = group.there[k] ? __ldcg(frontier + group.index[k]) : 0;
            visit(group.there, group.slot, false);
        });
    }

    /// Those of the waiting vertices whose next arc leads below the limit relax their arcs.
    __device__ void visit_waiting(const std::uint32_t* waiting, std::uint32_t size)
    {
        for_each_group(size, [&]<std::uint32_t Count>(Group<Count> group) {
            std::uint32_t reach[Count];
            bool ready[Count];
            bool any = false;
#pragma unroll
            for (std::uint32_t k = 0; k < Count; ++k) group.slot[k] = group.there[k] ? __ldcg(waiting + group.index[k]) : 0;
#pragma unroll
            for (std::uint32_t k = 0; k < Count; ++k)
                reach[k] = group.there[k] ? __ldcg(&view_.pushed[group.slot[k]].next_reach) : Distance::kInfinity;
#pragma unroll
            for (std::uint32_t k = 0; k < Count; ++k) {
                ready[k] = reach[k] < limit_;
                any = any || ready[k];
                const bool waits = group.there[k] && !ready[k];
                if (waits) note_nearest(reach[k]);
                waiting_.append(waits && is_leader(), group.slot[k]);
            }
            if (__any_sync(kAllLanes, any)) visit(ready, group.slot, true);
        });
    }

    [[nodiscard]] __device__ SsspCounts finish()
    {
        visit_long_lists();
        frontier_.flush();
        waiting_.flush();
        reached_.flush();
        SsspCounts counts = SsspCounts::none();
        if (nearest_ != ~0U) counts.nearest = nearest_;
        counts.settled_arcs = settled_arcs_;
        return counts;
    }

private:
    static constexpr std::uint32_t kQuad = 4;  // lanes of a vertex
    static constexpr std::uint32_t kQuads = 32 / kQuad;
    static constexpr std::uint32_t kWarpRounds = 2;  // in which a warp goes on with a list before the block does, if warps have little else to do
    static constexpr std::uint32_t kBatch = 4;       // arcs of a lane that are under way together

    struct Found
    {
        std::uint32_t slot;
        std::uint32_t distance;
    };

    [[nodiscard]] static __device__ bool is_leader()
    {
        return lane_id() % kQuad == 0;
    }

    /// Count vertices of a quad of lanes, by their indices in a list.
    template <std::uint32_t Count>
    struct Group
    {
        bool there[Count];
        std::uint32_t index[Count];
        std::uint32_t slot[Count];
    };

    /// Calls f(group) for groups of the indices below `size`, at most eight groups of a warp at a
    /// time. There are fewer in a warp if that keeps more warps busy, and larger ones if all warps
    /// are busy anyway. All lanes call f.
    template <typename F>
    __device__ void for_each_group(std::uint32_t size, F&& f)
    {
        const auto warps = static_cast<std::uint32_t>(index_stride() / 32);
        warp_rounds_ = size >= 2 * warps ? ~0U : kWarpRounds;
        if (size >= 2 * kQuads * warps)
            for_each_group_of<kBatch>(size, kQuads * kBatch, f);
        else
            for_each_group_of<1>(size, size >= warps * kQuads ? kQuads : (size + warps - 1) / warps, f);
    }

    template <std::uint32_t Count, typename F>
    __device__ void for_each_group_of(std::uint32_t size, std::uint32_t of_warp, F&& f)
    {
        const std::uint32_t stride = static_cast<std::uint32_t>(index_stride() / 32) * of_warp;
        for (std::uint32_t first = static_cast<std::uint32_t>(spread_index() / 32) * of_warp; first < size; first += stride) {
            Group<Count> group;
#pragma unroll
            for (std::uint32_t k = 0; k < Count; ++k) {
                const std::uint32_t own = k * kQuads + lane_id() / kQuad;
                group.index[k] = first + own;
                group.there[k] = own < of_warp && group.index[k] < size;
            }
            f.template operator()<Count>(group);
        }
    }

    __device__ void note_nearest(std::uint32_t distance)
    {
        if (distance < view_.end && distance < nearest_) nearest_ = distance;
    }

    /// Four lanes visit those of their vertices that are wanted. All lanes call.
    template <std::uint32_t Count>
    __device__ void visit(const bool (&wanted)[Count], const std::uint32_t (&slot)[Count], bool is_waiting)
    {
        std::uint32_t distance[Count];
        std::uint32_t place[Count];
        ListPlace list[Count];
        bool first_time[Count];
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            const ulonglong2 state =
                wanted[k] ? __ldcg(reinterpret_cast<const ulonglong2*>(view_.pushed + slot[k])) : ulonglong2{PushState::kNothing, 0};
            list[k] = wanted[k] ? view_.graph.lists[slot[k]] : ListPlace{};
            distance[k] = static_cast<std::uint32_t>(state.x >> 32);
            first_time[k] = state.y == PushState::kNothing;
            place[k] = (state.y >> 32) == distance[k] ? static_cast<std::uint32_t>(state.y) : 0;
        }
        Found found[Count];
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            if (first_time[k] && is_leader()) settled_arcs_ += list[k].degree();
            found[k] = end_of(distance[k], view_.graph.list_arcs + list[k].begin(), place[k] + lane_id() % kQuad, list[k].degree());
        }
        relax(found, slot);
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k)
            go_on(wanted[k], slot[k], distance[k], list[k], place[k], found[k].distance, first_time[k], is_waiting);
    }

    /// What follows when four lanes have relaxed the next four arcs of a vertex; `own_end` is the
    /// distance at the end of the lane's arc.
    __device__ void go_on(bool wanted, std::uint32_t slot, std::uint32_t distance, ListPlace list, std::uint32_t place, std::uint32_t own_end,
                          bool first_time, bool is_waiting)
    {
        const std::uint32_t quad_begin = lane_id() / kQuad * kQuad;
        const std::uint32_t quad = (__ballot_sync(kAllLanes, own_end < limit_) >> quad_begin) & ((1U << kQuad) - 1);
        const auto count = static_cast<std::uint32_t>(__popc(quad));
        std::uint32_t next = __shfl_sync(kAllLanes, own_end, static_cast<int>(quad_begin + count % kQuad));
        place += count;
        bool is_long = false;
        const bool more = count == kQuad && place < list.degree() && is_leader();
        for (std::uint32_t lanes = __ballot_sync(kAllLanes, more); lanes != 0; lanes &= lanes - 1) {
            const int lane = __ffs(static_cast<int>(lanes)) - 1;
            const Arc* const arcs = view_.graph.list_arcs + list.begin();
            if (!follow(lane, slot, distance, arcs, list.degree(), place, next, warp_rounds_)) continue;
            if (store_long(lane, {slot, distance, place, first_time || is_waiting}))
                is_long |= static_cast<int>(lane_id()) == lane;
            else
                follow(lane, slot, distance, arcs, list.degree(), place, next, ~0U);
        }
        const bool ended = wanted && is_leader() && !is_long;
        if (ended) note_progress(slot, distance, place, list.degree(), next);
        reached_.append(first_time && is_leader(), slot);
        waiting_.append(ended && place < list.degree() && (first_time || is_waiting), slot);
    }

    /// The block goes on with the lists that were too long for a warp.
    __device__ void visit_long_lists()
    {
        __syncthreads();
        const std::uint32_t count = stores_.long_count < PushStores::kLongLists ? stores_.long_count : PushStores::kLongLists;
        for (std::uint32_t i = 0; i < count; ++i) {
            const PushStores::LongList item = stores_.long_lists[i];
            const ListPlace list = view_.graph.lists[item.slot];
            const Arc* const arcs = view_.graph.list_arcs + list.begin();
            std::uint32_t place = item.place;
            std::uint32_t below = 0;
            do {
                const Found found[1] = {end_of(item.distance, arcs, place + threadIdx.x, list.degree())};
                const std::uint32_t from[1] = {item.slot};
                relax(found, from);
                below = static_cast<std::uint32_t>(__syncthreads_count(found[0].distance < limit_));
                place += below;
                if (threadIdx.x == below) stores_.next_distance = found[0].distance;
            } while (below == blockDim.x && place < list.degree());
            __syncthreads();
            const std::uint32_t next = stores_.next_distance;
            if (threadIdx.x == 0) note_progress(item.slot, item.distance, place, list.degree(), next);
            if (threadIdx.x < 32) waiting_.append(threadIdx.x == 0 && item.joins && place < list.degree(), item.slot);
            __syncthreads();
        }
    }

    /// Stores how far a vertex has come in its list.
    __device__ void note_progress(std::uint32_t slot, std::uint32_t distance, std::uint32_t place, std::uint32_t degree, std::uint32_t next)
    {
        __stcg(&view_.pushed[slot].progress, std::uint64_t{distance} << 32 | place);
        __stcg(&view_.pushed[slot].next_reach, next);
        if (place >= degree) return;
        note_nearest(next);
        if (next == Distance::kInfinity) view_.summary->overflow = 1;
    }

    /// Keeps the list of one lane's vertex for the block. Returns whether there was room.
    __device__ bool store_long(int lane, const PushStores::LongList& item)
    {
        std::uint32_t at = 0;
        if (static_cast<int>(lane_id()) == lane) {
            at = atomicAdd(&stores_.long_count, 1U);
            if (at < PushStores::kLongLists) stores_.long_lists[at] = item;
        }
        return __shfl_sync(kAllLanes, at, lane) < PushStores::kLongLists;
    }

    /// The whole warp relaxes arcs of one lane's vertex: 32, then kBatch times as many at a time, in
    /// at most `rounds` rounds. Returns whether there are more below the limit.
    __device__ bool follow(int lane, std::uint32_t slot, std::uint32_t distance, const Arc* arcs, std::uint32_t degree, std::uint32_t& place,
                           std::uint32_t& next, std::uint32_t rounds)
    {
        const std::uint32_t from = __shfl_sync(kAllLanes, slot, lane);
        const std::uint32_t length = __shfl_sync(kAllLanes, distance, lane);
        const std::uint32_t end = __shfl_sync(kAllLanes, degree, lane);
        const Arc* const list = reinterpret_cast<const Arc*>(__shfl_sync(kAllLanes, reinterpret_cast<unsigned long long>(arcs), lane));
        std::uint32_t at = __shfl_sync(kAllLanes, place, lane);
        std::uint32_t after = Distance::kInfinity;
        bool more = follow_batch<1>(list, length, end, from, at, after);
        for (std::uint32_t round = 1; more && round < rounds; ++round) more = follow_batch<kBatch>(list, length, end, from, at, after);
        if (static_cast<int>(lane_id()) == lane) {
            place = at;
            next = after;
        }
        return more;
    }

    /// The whole warp relaxes Count * 32 arcs from place `at` on. `after` becomes the distance at the
    /// end of the first arc that is not below the limit. Returns whether all were below.
    template <std::uint32_t Count>
    __device__ bool follow_batch(const Arc* list, std::uint32_t length, std::uint32_t end, std::uint32_t from, std::uint32_t& at,
                                 std::uint32_t& after)
    {
        Found found[Count];
        std::uint32_t from_slots[Count];
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            found[k] = end_of(length, list, at + k * 32 + lane_id(), end);
            from_slots[k] = from;
        }
        relax(found, from_slots);
        bool all = true;  // so far; those below the limit come first, since weights ascend
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            const std::uint32_t below = __ballot_sync(kAllLanes, found[k].distance < limit_);
            const std::uint32_t beyond = __shfl_sync(kAllLanes, found[k].distance, __popc(below) % 32);
            if (all && below != kAllLanes) after = beyond;
            at += static_cast<std::uint32_t>(__popc(below));
            all = all && below == kAllLanes;
        }
        return all && at < end;
    }

    /// The end of the arc at place `own` of a list, and its distance; infinity past the last arc.
    [[nodiscard]] __device__ Found end_of(std::uint32_t distance, const Arc* arcs, std::uint32_t own, std::uint32_t degree) const
    {
        if (own >= degree) return {0, Distance::kInfinity};
        const Arc arc = load(arcs + own);
        return {arc.slot, Distance::sum(distance, arc.weight)};
    }

    /// Each lane offers what it found below the limit to the vertices. All lanes call.
    template <std::uint32_t Count>
    __device__ void relax(const Found (&found)[Count], const std::uint32_t (&from)[Count])
    {
        std::uint32_t before[Count];
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            const bool below = found[k].distance < limit_;
            relaxed_ += below ? 1 : 0;
            before[k] = below ? static_cast<std::uint32_t>(__ldcg(&view_.pushed[found[k].slot].best) >> 32) : 0;
        }
        bool improves[Count];
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            improves[k] = found[k].distance < before[k];
            if (!improves[k]) continue;
            const unsigned long long word = static_cast<unsigned long long>(found[k].distance) << 32 | from[k];
            const std::uint64_t old = atomicMin(reinterpret_cast<unsigned long long*>(&view_.pushed[found[k].slot].best), word);
            improves[k] = found[k].distance < (old >> 32);
        }
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            const bool queues = improves[k] && atomicExch(&view_.pushed[found[k].slot].queued, round_) != round_;
            frontier_.append(queues, found[k].slot);
        }
    }

    [[nodiscard]] static __device__ Arc load(const Arc* arc)
    {
        const uint2 words = __ldg(reinterpret_cast<const uint2*>(arc));
        return {words.x, words.y};
    }

    const SsspView& view_;
    std::uint32_t limit_;
    std::uint32_t round_;
    BlockList frontier_, waiting_, reached_;
    std::uint32_t& relaxed_;
    PushStores& stores_;
    std::uint32_t warp_rounds_ = kWarpRounds;
    std::uint32_t nearest_ = ~0U;
    std::uint64_t settled_arcs_ = 0;
};

}  // namespace wayfront::gpu
