// The steps of a search by pushes and pulls, between which its threads wait for each other: pushes in
// windows (push.cuh) until enough arcs are settled, then pulls (pull.cuh) for the rest. The steps
// between these are in settle.cuh, pushes of a few vertices in single_vertices.cuh; a kernel includes
// both.
//
// The resident search (resident_search.cuh) takes all steps in one kernel, with barriers between them.
// With messages between GPUs (stepped/), each step is a kernel.
#pragma once

#include <cstdint>

#include "gpu/runtime/grid_total.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/pull.cuh"
#include "gpu/sssp/push.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// The shared memory of a block.
template <Reach kReach>
union SsspStores {
    PushStores<kReach> push;
    PullStores pull;
};

/// The end of the window that begins at a distance.
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
    using All = Gpus<kReach>;

    struct Source
    {
        std::uint32_t slot;
        bool is_own;  // whether this GPU owns it, and it has edges; always on one GPU
        ListPlace list;
        std::uint32_t least;  // the weight of its lightest arc
    };

    /// What a step of pushes visits: the frontier and, if the window has widened, the waiting
    /// vertices.
    struct PushStep
    {
        bool widens;
        std::uint32_t waits;
    };

    __device__ SsspSteps(const SsspView& view, SsspStores<kReach>& stores) : view_(view), stores_(stores) {}

    /// `slot`: the source's; kNone if another GPU owns the source, or if it has no edges.
    [[nodiscard]] __device__ Source source_at(std::uint32_t slot) const
    {
        Source source{slot, slot != LocalSlotsView::kNone, {}, Distance::kInfinity};
        if (source.is_own) {
            source.list = view_.graph.lists[slot];
            // Infinite without arcs, whose list may begin at the end of the allocation.
            source.least = view_.graph.heads[std::uint64_t{slot} * kHeadArcs].weight;
        }
        return source;
    }

    /// Makes the source the frontier. One thread calls.
    __device__ void place_source(const Source& source) const { place(source.slot, 0); }

    /// Makes a source number `i` of the first frontier.
    __device__ void place(std::uint32_t slot, std::uint32_t i) const
    {
        view_.own.pushed[slot].best = PushState::path(0, All::column(view_, slot));
        view_.own.frontiers[0][i] = slot;
    }

    /// A step of pushes of `size` own vertices of the frontier and `waits` that wait. `at`: the progress
    /// after the window has widened, if it does. On one GPU, `frontier_size` is 0.
    [[nodiscard]] __device__ SsspCounts push(const PushProgress& at, std::uint32_t size, std::uint32_t waits,
                                             const Team& team, std::uint32_t* frontier_size)
    {
        if (first_index() == 0) {
            view_.own.sizes->waiting[(at.window + 1) % 3] = 0;
            // Was read before the last barrier, and is added to after the next.
            if (All::kSeveral) view_.own.sizes->frontier[(at.round + 1) % 3] = 0;
        }
        Push<Distance, kReach> pushes(view_, stores_.push, team, at.limit, at.round + 1, frontier_size, at.window,
                                      relaxed_);
        if (size > 0) pushes.visit_frontier(view_.own.frontiers[(at.round + 1) % 2], size);
        if (waits > 0) pushes.visit_waiting(view_.waiting[(at.window + 1) % 2], waits);
        return pushes.finish();
    }

    // In settle.cuh.
    [[nodiscard]] __device__ SsspCounts nearest_of_large() const;
    [[nodiscard]] __device__ SsspCounts settle_reached(std::uint32_t count, std::uint32_t near_end,
                                                       const Source& source) const;
    __device__ void relax_leftovers(const Source& source) const;

    // In single_vertices.cuh.
    [[nodiscard]] __device__ std::uint32_t relax_single(const std::uint32_t* slots, std::uint32_t count,
                                                        const Team& team, bool takes, std::uint32_t round);
    [[nodiscard]] __device__ std::uint32_t offer(const SingleVertices::Vertex& from, const ListPlace& list,
                                                 std::uint32_t first, std::uint32_t end, std::uint32_t stride,
                                                 std::uint32_t round);
    [[nodiscard]] __device__ std::uint32_t take_offer(std::uint32_t slot);
    __device__ void take_offers(std::uint32_t round);
    [[nodiscard]] __device__ SsspCounts arcs_of_improved();

    /// The part of the first pass of pulls at these slots; the first part begins at 0, and the lists of the
    /// others follow it. `least`: no neighbour that matters is nearer. `settled`: distances below are final.
    [[nodiscard]] __device__ SsspCounts pull_all(const SlotRange& slots, std::uint32_t least, std::uint32_t settled)
    {
        Pull<Distance, kReach> all(view_, stores_.pull, least, settled, 0, pulled_);
        if (slots.first == 0) all.begin();
        all.visit_all(slots);
        return all.finish();
    }

    /// A later pass. What may still change lies behind `settled`.
    [[nodiscard]] __device__ SsspCounts pull_again(std::uint32_t settled, std::uint32_t pass)
    {
        Pull<Distance, kReach> some(view_, stores_.pull, settled, settled, pass, pulled_);
        some.begin();
        some.visit_open();
        return some.finish();
    }

    /// Adds the arcs that this thread has looked at to the summary. All lanes of a warp call, once.
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

    /// One thread of each block reads a number that other blocks have written before the last
    /// barrier. All threads of the block call.
    [[nodiscard]] static __device__ std::uint32_t read_once(const std::uint32_t& number)
    {
        __shared__ std::uint32_t value;
        if (threadIdx.x == 0) value = fresh(number);
        __syncthreads();
        return value;
    }

    /// A number that other blocks have written before the last barrier.
    template <typename T>
    [[nodiscard]] static __device__ T fresh(const T& number)
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
