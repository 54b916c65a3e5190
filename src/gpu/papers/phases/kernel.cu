#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/graph/block_list.cuh"
#include "gpu/papers/phases/kernel.hpp"
#include "gpu/runtime/clock.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/results.cuh"

namespace wayfront::gpu::sssp {

namespace {

constexpr int kThreads = 1024;
constexpr std::uint32_t kLongList = 32;  // length of the longest list that a single lane relaxes, in arcs
constexpr std::uint64_t kClockMask = (std::uint64_t{1} << kCountBits) - 1;

__device__ constexpr std::uint64_t unreached_state(std::uint32_t infinity)
{
    return std::uint64_t{infinity} << 32 | ~0U;
}

template <typename Distance>
__device__ void clear_states(const PhaseView& view)
{
    for (std::uint64_t i = first_index(); i < view.graph.slots; i += index_stride())
        view.states[i] = {unreached_state(Distance::kInfinity), Distance::kInfinity, 0};
}

/// A search, as one thread of the grid sees it.
template <typename Distance>
class PhaseSearch
{
public:
    __device__ PhaseSearch(const PhaseView& view, const PhaseRun& run, BlockListStore& store)
        : view_(view),
          store_(store),
          barrier_(view.barrier),
          rule_(run.mode, run.thresholds),
          most_steps_(run.most_steps)
    {
    }

    __device__ void run(std::uint32_t source)
    {
        clear_states<Distance>(view_);
        // The state of the source is set by the thread that has cleared it.
        if (source % index_stride() == first_index()) view_.states[source].best = source;
        if (first_index() == 0) view_.lists[0][0] = source;
        pass();
        std::uint64_t size = 1;  // size of the list, if the next step has one
        while (steps_ < most_steps_) {
            const bool all = rule_.all();
            const Totals totals = all ? relax_all() : relax_listed(static_cast<std::uint32_t>(size));
            rule_.add(last_nanoseconds_);
            record(all ? PhaseStep::all : PhaseStep::updated, totals.counts.relaxed);
            size = totals.local_total;
            if (all ? totals.counts.improved == 0 : size == 0) break;
            if (!all || rule_.all()) continue;
            size = list_updated();
            record(PhaseStep::list, size);
            if (size == 0) break;
        }
        finish();
    }

private:
    using Barrier = GridBarrier<PhaseCounts>;
    using Totals = typename Barrier::Totals;

    /// Runs a phase over all vertices.
    __device__ Totals relax_all()
    {
        for (std::uint64_t i = spread_index(); i < whole_warps(view_.graph.slots); i += index_stride())
            visit<false>(i < view_.graph.slots, static_cast<std::uint32_t>(i), nullptr);
        return pass();
    }

    /// Runs a phase over the vertices that the last step listed.
    __device__ Totals relax_listed(std::uint32_t size)
    {
        const std::uint32_t* const listed = view_.lists[steps_ % 2];
        BlockList<> next = open_list();
        for (std::uint64_t i = spread_index(); i < whole_warps(size); i += index_stride())
            visit<true>(i < size, i < size ? __ldcg(listed + i) : 0, &next);
        BlockList<>::flush(next);
        return pass();
    }

    /// Lists the updated vertices, which have to relax their arcs. Returns their number.
    __device__ std::uint64_t list_updated()
    {
        BlockList<> next = open_list();
        for (std::uint64_t i = spread_index(); i < whole_warps(view_.graph.slots); i += index_stride()) {
            bool updated = false;
            if (i < view_.graph.slots)
                updated = distance_of(__ldcg(&view_.states[i].best)) < __ldcg(&view_.states[i].relaxed);
            next.append(updated, static_cast<std::uint32_t>(i));
        }
        BlockList<>::flush(next);
        return pass().local_total;
    }

    /// The list that this step fills for the next step. Its size is 0 before the step.
    [[nodiscard]] __device__ BlockList<> open_list()
    {
        BlockList<> list(store_, view_.lists[(steps_ + 1) % 2],
                         reinterpret_cast<std::uint32_t*>(barrier_.next_local_total()));
        list.clear();
        __syncthreads();
        return list;
    }

    /// Each lane relaxes the arcs of its vertex, if the vertex was updated. With kLists, each
    /// vertex whose distance becomes smaller is appended to `next` once. All lanes call.
    template <bool kLists>
    __device__ void visit(bool active, std::uint32_t slot, BlockList<>* next)
    {
        std::uint32_t distance = Distance::kInfinity;
        ListPlace list{};
        if (active) {
            VertexState& state = view_.states[slot];
            const std::uint32_t relaxed = __ldcg(&state.relaxed);
            distance = distance_of(__ldcg(&state.best));
            // The places of all lists are loaded at once, since most of them are needed.
            if constexpr (kLists) list = view_.graph.lists[slot];
            active = distance < relaxed;
            if (active) {
                if constexpr (!kLists) list = view_.graph.lists[slot];
                state.relaxed = distance;
                ++counts_.relaxed;
                relaxed_arcs_ += list.degree();
            }
        }
        const std::uint32_t degree = active ? list.degree() : 0;
        visit_short<kLists>(degree <= kLongList ? degree : 0, slot, distance, list, next);
        for (std::uint32_t longs = __ballot_sync(kAllLanes, degree > kLongList); longs != 0; longs &= longs - 1) {
            const int lane = __ffs(static_cast<int>(longs)) - 1;
            visit_long<kLists>(__shfl_sync(kAllLanes, slot, lane), __shfl_sync(kAllLanes, distance, lane),
                               {__shfl_sync(kAllLanes, list.packed, lane)}, next);
        }
    }

    /// Each lane relaxes its own list, four arcs at a time, which are one sector of memory. Arcs of
    /// the padding have infinite weight.
    template <bool kLists>
    __device__ void visit_short(std::uint32_t degree, std::uint32_t slot, std::uint32_t distance, ListPlace list,
                                BlockList<>* next)
    {
        const Arc* const arcs = view_.graph.list_arcs + list.begin();
        const std::uint32_t most = __reduce_max_sync(kAllLanes, degree);
        for (std::uint32_t k = 0; k < most; k += kListAlign) {
            Arc four[kListAlign] = {};
            std::uint64_t seen[kListAlign] = {};  // an arc to a vertex with distance 0 cannot improve it
            if (k < degree) {
#pragma unroll
                for (std::uint32_t j = 0; j < kListAlign; ++j) four[j] = arcs[k + j];
#pragma unroll
                for (std::uint32_t j = 0; j < kListAlign; ++j) seen[j] = __ldcg(&view_.states[four[j].end].best);
            }
#pragma unroll
            for (std::uint32_t j = 0; j < kListAlign; ++j) relax<kLists>(four[j], seen[j], slot, distance, next);
        }
    }

    /// All lanes of the warp relax one list together.
    template <bool kLists>
    __device__ void visit_long(std::uint32_t slot, std::uint32_t distance, ListPlace list, BlockList<>* next)
    {
        const Arc* const arcs = view_.graph.list_arcs + list.begin();
        const std::uint32_t degree = list.degree();
        for (std::uint32_t k = 0; k < degree; k += 32) {
            Arc arc{};
            std::uint64_t seen = 0;
            if (k + lane_id() < degree) {
                arc = arcs[k + lane_id()];
                seen = __ldcg(&view_.states[arc.end].best);
            }
            relax<kLists>(arc, seen, slot, distance, next);
        }
    }

    /// Relaxes one arc of each lane. `seen`: the state that was read at the arc's end. All lanes
    /// call.
    template <bool kLists>
    __device__ void relax(Arc arc, std::uint64_t seen, std::uint32_t slot, std::uint32_t distance, BlockList<>* next)
    {
        const std::uint32_t sum = Distance::sum(distance, arc.weight);
        // If a sum overflows, a search of whole distances without a cutoff is repeated with 64
        // bits.
        if (sum == Distance::kInfinity && view_.end == Distance::kInfinity && distance_of(seen) == Distance::kInfinity)
            overflow_ = true;
        const bool improved = sum < view_.end && improve(view_.states[arc.end].best, seen, sum, slot);
        if (improved) ++counts_.improved;
        if constexpr (kLists) {
            const bool first = improved && atomicExch(&view_.states[arc.end].queued, steps_ + 1) != steps_ + 1;
            next->append(first, arc.end);
        }
    }

    /// Replaces a distance and its parent if the new distance is smaller. An equal distance does
    /// not change the parent, because parents could then form a cycle along arcs of weight 0.
    [[nodiscard]] static __device__ bool improve(std::uint64_t& best, std::uint64_t seen, std::uint32_t distance,
                                                 std::uint32_t parent)
    {
        while (distance < distance_of(seen)) {
            const std::uint64_t old =
                atomicCAS(reinterpret_cast<unsigned long long*>(&best), static_cast<unsigned long long>(seen),
                          static_cast<unsigned long long>(std::uint64_t{distance} << 32 | parent));
            if (old == seen) return true;
            seen = old;
        }
        return false;
    }

    /// Ends a step: all blocks pass a barrier, and all threads get the time at which the last
    /// thread arrived.
    __device__ Totals pass()
    {
        __syncthreads();
        if (threadIdx.x == 0) counts_.until_end = kClockMask - (now() & kClockMask);
        const Totals totals = barrier_.reduce(counts_);
        const std::uint64_t end = kClockMask - totals.counts.until_end;
        last_nanoseconds_ = (end - end_) & kClockMask;
        end_ = end;
        counts_ = {};
        return totals;
    }

    __device__ void record(PhaseStep step, std::uint64_t vertices)
    {
        if (first_index() == 0 && steps_ < PhaseSummary::kMostRecords)
            view_.summary->records[steps_] = {static_cast<std::uint32_t>(last_nanoseconds_), step,
                                              static_cast<std::uint32_t>(vertices)};
        ++steps_;
    }

    __device__ void finish()
    {
        PhaseSummary& summary = *view_.summary;
        std::uint64_t arcs = relaxed_arcs_;
        for (int offset = 16; offset > 0; offset /= 2) arcs += __shfl_down_sync(kAllLanes, arcs, offset);
        if (lane_id() == 0 && arcs > 0) atomicAdd(reinterpret_cast<unsigned long long*>(&summary.relaxed_arcs), arcs);
        if (overflow_) summary.overflow = 1;
        if (first_index() == 0) summary.steps = steps_;
        barrier_.finish();
    }

    [[nodiscard]] static __device__ std::uint32_t distance_of(std::uint64_t best)
    {
        return static_cast<std::uint32_t>(best >> 32);
    }
    [[nodiscard]] static __device__ std::uint64_t whole_warps(std::uint64_t count)
    {
        return (count + 31) / 32 * 32;
    }

    const PhaseView& view_;
    BlockListStore& store_;
    Barrier barrier_;
    PhaseSwitch rule_;
    PhaseCounts counts_;
    std::uint64_t end_ = 0;  // end of the last step
    std::uint64_t last_nanoseconds_ = 0;
    std::uint64_t relaxed_arcs_ = 0;
    std::uint32_t steps_ = 0;
    std::uint32_t most_steps_;
    bool overflow_ = false;
};

template <typename Distance>
__global__ void __launch_bounds__(kThreads, 1) search_by_phases(PhaseView view, PhaseRun run, SsspSource source)
{
    __shared__ BlockListStore store;
    const std::uint32_t slot = view.graph.local_slots.slot_of(source.local);
    if (slot != LocalSlotsView::kNone)
        PhaseSearch<Distance>(view, run, store).run(slot);
    else
        clear_states<Distance>(view);  // a vertex without edges reaches no other vertex
}

struct BestOfStates
{
    const VertexState* states;
    [[nodiscard]] __device__ SlotResult operator()(std::uint32_t slot) const
    {
        const std::uint64_t best = states[slot].best;
        return {static_cast<std::uint32_t>(best >> 32), static_cast<std::uint32_t>(best)};
    }
};

}  // namespace

PhaseLaunch plan_phase_launch(WeightType type)
{
    PhaseLaunch size{type, 0};
    with_distance(type, [&](auto distance) {
        size.blocks = cooperative_blocks(reinterpret_cast<const void*>(search_by_phases<decltype(distance)>), kThreads,
                                         0, "the search by phases");
    });
    return size;
}

void launch_phases(const PhaseView& view, const PhaseRun& run, SsspSource source, const PhaseLaunch& size,
                   const Stream& stream)
{
    with_distance(size.type, [&](auto distance) {
        launch_cooperative(search_by_phases<decltype(distance)>, size.blocks, kThreads, 0, stream, view, run, source);
        launch_write_results<decltype(distance)>(view.graph, EachSlot<BestOfStates>{{view.states}},
                                                 {view.result_distances, view.result_parents, &view.summary->reached},
                                                 source, stream);
    });
}

}  // namespace wayfront::gpu::sssp
