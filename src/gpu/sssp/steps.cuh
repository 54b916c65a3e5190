// The steps of a search by pushes and pulls. Threads synchronize between two steps. Pushes in
// windows (push.cuh) run until enough arcs are settled; pulls (pull.cuh) find the other distances.
// settle.cuh has the steps between pushes and pulls, single_vertices.cuh the pushes of a few
// vertices; a kernel includes both files.
//
// The resident search (resident_search.cuh) takes all steps in one kernel, with a barrier after
// each. If GPUs exchange messages (stepped/), each step is a kernel of its own.
#pragma once

#include <cstdint>

#include "gpu/runtime/grid_total.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/pull.cuh"
#include "gpu/sssp/push.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// The shared memory of a thread block. Pushes and pulls use the same bytes.
template <Reach kReach>
union SsspStores {
    PushStores<kReach> push;
    PullStores pull;
};

/// The end of the window that begins at the distance `nearest`.
template <typename Distance>
[[nodiscard]] WAYFRONT_HD std::uint32_t window_end(std::uint32_t nearest, std::uint32_t width, std::uint32_t end)
{
    const std::uint32_t limit = Distance::sum(nearest, width);
    const std::uint32_t beyond = limit > nearest ? limit : nearest + 1;
    return beyond < end ? beyond : end;
}

/// The steps, as one thread of a grid sees them.
template <typename Distance, Reach kReach>
class SsspSteps
{
public:
    using AllGpus = Gpus<kReach>;

    struct Source
    {
        std::uint32_t slot;
        bool is_own;  // whether this GPU owns the source, and the source has edges
        ListPlace list;
        std::uint32_t least;  // weight of the source's lightest arc
    };

    /// The vertices that a push step visits: always the frontier, and the waiting vertices if a new
    /// window begins.
    struct PushStep
    {
        bool widens;
        std::uint32_t waiting_count;
    };

    __device__ SsspSteps(const SsspView& view, SsspStores<kReach>& stores) : view_(view), stores_(stores) {}

    /// `slot`: slot of the source, or kNone if another GPU owns the source or the source has no
    /// edges.
    [[nodiscard]] __device__ Source source_at(std::uint32_t slot) const
    {
        Source source{slot, slot != LocalSlotsView::kNone, {}, Distance::kInfinity};
        if (source.is_own) {
            source.list = view_.graph.lists[slot];
            // Infinite weight if the source has no arcs: its list may begin at the end of the
            // allocation.
            source.least = view_.graph.heads[std::uint64_t{slot} * kHeadArcs].weight;
        }
        return source;
    }

    /// Makes the source the frontier. One thread calls.
    __device__ void place_source(const Source& source) const { place(source.slot, 0); }

    /// Makes the source at `slot` element `i` of the first frontier.
    __device__ void place(std::uint32_t slot, std::uint32_t i) const
    {
        view_.own.pushed[slot].best = PushState::path(0, AllGpus::column(view_, slot));
        view_.own.frontiers[0][i] = slot;
    }

    /// A push step over the first `size` vertices of the frontier and the first `waiting_count`
    /// waiting vertices. `progress`: with the limit of the new window if one begins.
    /// `frontier_size` points to 0 on one GPU.
    [[nodiscard]] __device__ PushCounts<kReach> push(const PushProgress& progress, std::uint32_t size,
                                                     std::uint32_t waiting_count, const Team& team,
                                                     std::uint32_t* frontier_size)
    {
        if (first_index() == 0) {
            view_.own.sizes->waiting[(progress.window + 1) % 3] = 0;
            // This counter was read before the last barrier. Additions to it begin after the next
            // barrier.
            if (AllGpus::kSeveral) view_.own.sizes->frontier[(progress.round + 1) % 3] = 0;
        }
        Push<Distance, kReach> pushes(view_, stores_.push, team, progress, frontier_size);
        if (size > 0) pushes.visit_frontier(view_.own.frontiers[(progress.round + 1) % 2], size);
        if (waiting_count > 0) pushes.visit_waiting(view_.waiting[(progress.window + 1) % 2], waiting_count);
        const PushCounts<kReach> counts = pushes.finish();
        relaxed_ += pushes.relaxed();
        return counts;
    }

    // Defined in settle.cuh.
    [[nodiscard]] __device__ LargeCounts nearest_of_large() const;
    [[nodiscard]] __device__ NearCounts settle_reached(std::uint32_t count, std::uint32_t near_end,
                                                       const Source& source) const;
    __device__ void relax_leftovers(const Source& source) const;

    // Defined in single_vertices.cuh.
    [[nodiscard]] __device__ std::uint32_t relax_single(const std::uint32_t* slots, std::uint32_t count,
                                                        const Team& team, bool takes_offers, std::uint32_t round);
    [[nodiscard]] __device__ std::uint32_t offer(const SingleVertices::Vertex& from, const ListPlace& list,
                                                 const LaneArcs& lane_arcs, std::uint32_t round);
    [[nodiscard]] __device__ std::uint32_t take_offer(std::uint32_t slot);
    __device__ void take_offers(std::uint32_t round);
    [[nodiscard]] __device__ ImprovedCounts arcs_of_improved();

    /// The part of the first pull at these slots. The first part begins at slot 0; the lists of
    /// later parts are appended to its lists.
    [[nodiscard]] __device__ PullCounts pull_all(const SlotRange& slots, const PullLimits& limits)
    {
        Pull<Distance, kReach> first_pull(view_, stores_.pull, limits, 0, pulled_);
        if (slots.first == 0) first_pull.begin();
        first_pull.visit_all(slots);
        return first_pull.finish();
    }

    /// A pull after the first one. `settled`: distances below it are final, and larger ones may
    /// still change.
    [[nodiscard]] __device__ PullCounts pull_again(std::uint32_t settled, std::uint32_t pass)
    {
        Pull<Distance, kReach> next_pull(view_, stores_.pull, {.least = settled, .settled = settled}, pass, pulled_);
        next_pull.begin();
        next_pull.visit_open();
        return next_pull.finish();
    }

    /// Adds the arcs that this thread has read to the summary. All lanes of a warp call, once.
    __device__ void add_arcs() const
    {
        SsspSummary& summary = *view_.summary;
        const std::uint64_t relaxed = warp_sum(relaxed_);
        const std::uint64_t pulled = warp_sum(pulled_);
        if (lane_id() == 0 && relaxed > 0)
            atomicAdd(reinterpret_cast<unsigned long long*>(&summary.relaxed_arcs), relaxed);
        if (lane_id() == 0 && pulled > 0)
            atomicAdd(reinterpret_cast<unsigned long long*>(&summary.pulled_arcs), pulled);
    }

    /// Reads a number that other thread blocks wrote before the last barrier. One thread reads it
    /// for the block. All threads of the block call.
    [[nodiscard]] static __device__ std::uint32_t read_once(const std::uint32_t& number)
    {
        __shared__ std::uint32_t value;
        if (threadIdx.x == 0) value = load_volatile(number);
        __syncthreads();
        return value;
    }

    /// Reads a number that other thread blocks wrote before the last barrier.
    template <typename T>
    [[nodiscard]] static __device__ T load_volatile(const T& number)
    {
        return *static_cast<const volatile T*>(&number);
    }

protected:
    template <typename F>
    __device__ void for_reached(std::uint32_t count, F&& f) const;
    __device__ void collect_near(std::uint32_t slot) const;

    [[nodiscard]] static __device__ std::uint64_t warp_sum(std::uint64_t value)
    {
        for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kAllLanes, value, offset);
        return value;
    }

    const SsspView& view_;
    SsspStores<kReach>& stores_;
    std::uint32_t relaxed_ = 0;
    std::uint32_t pulled_ = 0;
};

}  // namespace wayfront::gpu::sssp
