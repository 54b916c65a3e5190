// The kernel that finds the nearest sources (nearest_sources.hpp). A search instantiates it for its
// arcs.
//
// In rounds, vertices that have got a smaller source pass it on; in the first round, all vertices
// do. Four lanes of a warp follow the first arcs of a vertex. The other arcs of a long list are cut
// into pieces, which all warps share, so that a vertex with a million arcs occupies the whole GPU.
//
// `Arcs` has the lists of out-arcs by slot, with ascending lengths:
//
//   list(slot)             the place of the list
//   arc(list, i)           its arc i, which ends at a slot
//   sum(distance, length)  the length of a path extended by an arc; kInfinity if it does not fit
#pragma once

#include <cstdint>

#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/graph/arc_lists_plan.hpp"
#include "gpu/graph/nearest_sources.hpp"
#include "gpu/graph/work_items.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp_prefix.cuh"

namespace wayfront::gpu {

inline constexpr unsigned kNearestThreads = 1024;  // number of threads in a block

/// A label: the source in the upper half; the parent, a number of 31 bits, in the lower half.
struct NearestLabel
{
    static constexpr std::uint32_t kNone = ~0U;           // the source of an unreached vertex
    static constexpr std::uint64_t kQueued = 1ULL << 31;  // whether the vertex is in the list of the next round

    [[nodiscard]] static __device__ std::uint64_t make(std::uint32_t source, std::uint32_t parent)
    {
        return std::uint64_t{source} << 32 | parent;
    }
    [[nodiscard]] static __device__ std::uint32_t source(std::uint64_t label)
    {
        return static_cast<std::uint32_t>(label >> 32);
    }
    [[nodiscard]] static __device__ std::uint32_t parent(std::uint64_t label)
    {
        return static_cast<std::uint32_t>(label & (kQueued - 1));
    }
};

/// The search for the nearest sources, as one thread of the grid sees it.
template <typename Arcs>
class NearestChoice
{
public:
    __device__ NearestChoice(const NearestView& view, const Arcs& arcs)
        : view_(view), arcs_(arcs), barrier_(view.barrier)
    {
    }

    __device__ void run()
    {
        gather();
        find_roots();
        take_roots();
        pass_on();
        write();
        barrier_.finish();
    }

private:
    using Barrier = GridBarrier<NearestCounts>;

    static constexpr std::uint32_t kQuad = 4;  // number of lanes for a vertex
    static constexpr std::uint32_t kQuads = 32 / kQuad;
    // kClimbed: number of ancestors that a vertex climbs in a pass. kMostPasses passes suffice for
    // any tree of 2^32 vertices.
    static constexpr int kClimbed = 16;
    static constexpr int kMostPasses = 8;

    /// A vertex that passes its source on to its neighbours.
    struct From
    {
        std::uint32_t source;
        std::uint32_t vertex;  // the input's number of the vertex
        std::uint32_t distance;
    };

    /// The arcs of a list that a lane follows: those at `first`, `first + stride` and so on before
    /// `end`.
    struct ArcsOfLane
    {
        std::uint32_t first;
        std::uint32_t end;
        std::uint32_t stride;
    };

    /// Copies the results of the search into the order of slots, and finds the largest distance.
    __device__ void gather()
    {
        NearestCounts own = NearestCounts::none();
        for (std::uint64_t local = first_index(); local < view_.local_slots.count; local += index_stride()) {
            const std::uint32_t slot = view_.local_slots.slot_of(static_cast<std::uint32_t>(local));
            if (slot == LocalSlotsView::kNone) continue;
            const std::uint32_t distance = view_.result_distances[local];
            const std::int32_t parent = view_.result_parents[local];
            view_.distances[slot] = distance;
            if (parent < 0) continue;
            const auto number = static_cast<std::uint32_t>(parent);
            view_.ancestors[slot] = view_.local_slots.slot_of(number);
            view_.labels[slot] = NearestLabel::make(NearestLabel::kNone, number);
            const std::uint64_t rest = ~0U - distance;
            own.least_rest = rest < own.least_rest ? rest : own.least_rest;
        }
        own.least_rest = barrier_.reduce(own).counts.least_rest;
        farthest_ = own.least_rest <= ~0U ? ~0U - static_cast<std::uint32_t>(own.least_rest) : 0;
    }

    /// Replaces the ancestor of each vertex by the root of its tree. Other threads may replace
    /// ancestors at the same time, but only by other ancestors.
    __device__ void find_roots()
    {
        for (int pass = 0; pass < kMostPasses; ++pass) {
            NearestCounts own = NearestCounts::none();
            for (std::uint64_t slot = first_index(); slot < view_.slots; slot += index_stride()) {
                std::uint32_t above = fresh(view_.ancestors[slot]);
                if (above == LocalSlotsView::kNone) continue;
                bool at_root = false;
#pragma unroll 1
                for (int i = 0; i < kClimbed && !at_root; ++i) {
                    const std::uint32_t next = fresh(view_.ancestors[above]);
                    at_root = next == above || next == LocalSlotsView::kNone;
                    if (!at_root) above = next;
                }
                __stcg(view_.ancestors + slot, above);
                own.vertices += at_root ? 0 : 1;
            }
            if (barrier_.reduce(own).counts.vertices == 0) return;
        }
    }

    /// Makes the root of each reached vertex its source.
    __device__ void take_roots()
    {
        for (std::uint64_t slot = first_index(); slot < view_.slots; slot += index_stride()) {
            const std::uint32_t root = fresh(view_.ancestors[slot]);
            if (root == LocalSlotsView::kNone) continue;
            const std::uint32_t parent = NearestLabel::parent(fresh(view_.labels[slot]));
            __stcg(reinterpret_cast<unsigned long long*>(view_.labels + slot),
                   static_cast<unsigned long long>(NearestLabel::make(view_.vertex_of_slot[root], parent)));
        }
        barrier_.reduce(NearestCounts::none());
    }

    /// Passes sources on in rounds until no vertex changes its source.
    __device__ void pass_on()
    {
        std::uint64_t count = view_.slots;
        for (round_ = 0; count > 0; ++round_) {
            // These counters were read before the last barrier. Additions to them begin after the
            // next barrier.
            if (first_index() == 0) {
                view_.sizes->listed[(round_ + 2) % 3] = 0;
                view_.sizes->pieces[(round_ + 1) % 3] = 0;
            }
            NearestCounts own = NearestCounts::none();
            own.vertices = visit(static_cast<std::uint32_t>(count));
            const Barrier::Totals totals = barrier_.reduce(own, &view_.sizes->pieces[round_ % 3]);
            count = totals.counts.vertices;
            if (totals.local_total == 0) continue;
            own.vertices = visit_pieces(static_cast<std::uint32_t>(totals.local_total));
            count += barrier_.reduce(own).counts.vertices;
        }
    }

    /// The vertices of the round pass their sources on along their first arcs, and their other arcs
    /// are cut into pieces. Returns the number of vertices that this thread has added to the next
    /// list.
    [[nodiscard]] __device__ std::uint32_t visit(std::uint32_t count)
    {
        const bool all = round_ == 0;
        const std::uint32_t* const listed = view_.listed[round_ % 2];
        const auto stride = static_cast<std::uint32_t>(index_stride() / kQuad);
        std::uint32_t queued = 0;
        for (auto first = static_cast<std::uint32_t>(spread_index() / 32) * kQuads; first < count; first += stride) {
            const std::uint32_t i = first + lane_id() / kQuad;
            const bool is_item = i < count;
            std::uint32_t slot = i;
            if (!all && is_item) slot = __ldcg(listed + i);
            const bool leads = is_item && lane_id() % kQuad == 0;
            std::uint32_t source = NearestLabel::kNone;
            if (leads) source = NearestLabel::source(all ? fresh(view_.labels[slot]) : leave_list(slot));
            source = __shfl_sync(kAllLanes, source, static_cast<int>(lane_id() / kQuad * kQuad));
            const bool passes = source != NearestLabel::kNone;
            const From from = passes ? From{source, view_.vertex_of_slot[slot], view_.distances[slot]} : From{};
            const ListPlace list = passes ? arcs_.list(slot) : ListPlace{};
            const std::uint32_t degree = list.degree();
            const std::uint32_t end = degree < kNearestHeadArcs ? degree : kNearestHeadArcs;
            bool ends = false;  // whether a lane has read an arc that is longer than the largest distance
            queued += follow(from, list, {lane_id() % kQuad, end, kQuad}, ends);
            const std::uint32_t quad = (__ballot_sync(kAllLanes, ends) >> (lane_id() / kQuad * kQuad)) & 0xF;
            const bool goes_on = leads && degree > kNearestHeadArcs && quad == 0;
            append_pieces(slot, goes_on ? (degree - kNearestHeadArcs - 1) / kNearestPieceArcs + 1 : 0);
        }
        return queued;
    }

    /// The vertices of the round pass their sources on along the pieces. Returns the number of
    /// vertices that this thread has added to the next list.
    [[nodiscard]] __device__ std::uint32_t visit_pieces(std::uint32_t count)
    {
        const auto stride = static_cast<std::uint32_t>(index_stride() / 32);
        std::uint32_t queued = 0;
        for (auto i = static_cast<std::uint32_t>(spread_index() / 32); i < count; i += stride) {
            const uint2 item = __ldcg(reinterpret_cast<const uint2*>(view_.pieces) + i);  // a WorkItem
            const std::uint32_t slot = item.x;
            const From from{NearestLabel::source(fresh(view_.labels[slot])), view_.vertex_of_slot[slot],
                            view_.distances[slot]};
            const ListPlace list = arcs_.list(slot);
            const std::uint32_t first = kNearestHeadArcs + item.y * kNearestPieceArcs;
            const std::uint32_t end =
                list.degree() < first + kNearestPieceArcs ? list.degree() : first + kNearestPieceArcs;
            bool ends = false;
            queued += follow(from, list, {first + lane_id(), end, 32}, ends);
        }
        return queued;
    }

    /// A lane follows arcs of a list. `ends` is set at an arc that leads beyond the largest
    /// distance. Returns the number of vertices that the lane has added to the next list. All lanes
    /// call.
    [[nodiscard]] __device__ std::uint32_t follow(const From& from, const ListPlace& list, ArcsOfLane lane, bool& ends)
    {
        std::uint32_t queued = 0;
#pragma unroll 1
        for (std::uint32_t i = lane.first; __any_sync(kAllLanes, i < lane.end && !ends); i += lane.stride) {
            const bool wanted = i < lane.end && !ends;
            const Arc arc = wanted ? arcs_.arc(list, i) : Arc{};
            const std::uint32_t sum = wanted ? Arcs::sum(from.distance, arc.weight) : Arcs::kInfinity;
            ends = ends || (wanted && sum > farthest_);
            const bool tight = wanted && !ends && sum == view_.distances[arc.end];
            const bool queues = tight && lower(arc.end, from);
            append(queues, arc.end);
            queued += queues ? 1 : 0;
        }
        return queued;
    }

    /// Gives a reached vertex the source of a neighbour if this source is smaller. Returns whether
    /// the vertex must be added to the next list.
    [[nodiscard]] __device__ bool lower(std::uint32_t slot, const From& from) const
    {
        auto* const label = reinterpret_cast<unsigned long long*>(view_.labels + slot);
        const unsigned long long taken = NearestLabel::make(from.source, from.vertex) | NearestLabel::kQueued;
        unsigned long long seen = fresh(*label);
        while (from.source < NearestLabel::source(seen)) {
            const unsigned long long before = atomicCAS(label, seen, taken);
            if (before == seen) return (seen & NearestLabel::kQueued) == 0;
            seen = before;
        }
        return false;
    }

    /// Clears kQueued, so that a smaller source adds the vertex to a list again. Returns the label
    /// of the vertex.
    [[nodiscard]] __device__ std::uint64_t leave_list(std::uint32_t slot) const
    {
        auto* const label = reinterpret_cast<unsigned long long*>(view_.labels + slot);
        return atomicAnd(label, ~static_cast<unsigned long long>(NearestLabel::kQueued));
    }

    /// Appends the slot of each lane for which `wanted` is set to the list of the next round. All
    /// lanes call.
    __device__ void append(bool wanted, std::uint32_t slot) const
    {
        const std::uint32_t lanes = __ballot_sync(kAllLanes, wanted);
        if (lanes == 0) return;
        std::uint32_t place = 0;
        if (lane_id() == 0)
            place = atomicAdd(&view_.sizes->listed[(round_ + 1) % 3], static_cast<std::uint32_t>(__popc(lanes)));
        place = __shfl_sync(kAllLanes, place, 0) + lanes_below(lanes);
        if (wanted) __stcg(view_.listed[(round_ + 1) % 2] + place, slot);
    }

    /// Appends the pieces of one list for each lane; `count` may be 0. All lanes call.
    __device__ void append_pieces(std::uint32_t slot, std::uint32_t count) const
    {
        std::uint32_t total = 0;
        const std::uint32_t before = warp_prefix(count, total);
        if (total == 0) return;
        std::uint32_t place = 0;
        if (lane_id() == 0) place = atomicAdd(&view_.sizes->pieces[round_ % 3], total);
        write_items(view_.pieces, std::uint64_t{__shfl_sync(kAllLanes, place, 0)} + before, slot, count);
    }

    /// Writes the nearest sources, and the parents towards them. In the result of the search, a
    /// source without edges is its own parent.
    __device__ void write()
    {
        for (std::uint64_t local = first_index(); local < view_.local_slots.count; local += index_stride()) {
            const std::uint32_t slot = view_.local_slots.slot_of(static_cast<std::uint32_t>(local));
            if (slot == LocalSlotsView::kNone) {
                view_.nearest[local] = view_.result_parents[local];
                continue;
            }
            const std::uint64_t label = fresh(view_.labels[slot]);
            const bool reached = NearestLabel::source(label) != NearestLabel::kNone;
            view_.nearest[local] = reached ? static_cast<std::int32_t>(NearestLabel::source(label)) : -1;
            if (reached) view_.result_parents[local] = static_cast<std::int32_t>(NearestLabel::parent(label));
        }
    }

    /// Reads a word that other threads change.
    template <typename T>
    [[nodiscard]] static __device__ T fresh(const T& word)
    {
        return *static_cast<const volatile T*>(&word);
    }

    const NearestView& view_;
    const Arcs& arcs_;
    Barrier barrier_;
    std::uint32_t farthest_ = 0;  // largest distance
    std::uint32_t round_ = 0;
};

template <typename Arcs>
__global__ void __launch_bounds__(kNearestThreads, 1)
    choose_nearest(const __grid_constant__ NearestView view, const __grid_constant__ Arcs arcs)
{
    NearestChoice<Arcs>(view, arcs).run();
}

/// Finds the nearest sources after the work in the stream. `distances` and `parents` are the
/// results of the search by local number; the parents are replaced.
template <typename Arcs>
void launch_choose_nearest(NearestSources& nearest, const Arcs& arcs, const std::uint32_t* distances,
                           std::int32_t* parents, const Stream& stream)
{
    launch_cooperative(choose_nearest<Arcs>, nearest.blocks(), kNearestThreads, 0, stream,
                       nearest.begin(distances, parents, stream), arcs);
}

}  // namespace wayfront::gpu
