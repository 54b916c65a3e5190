// The resident search for shortest paths (kernel.hpp), as the threads of its kernel see it: pushes
// in windows (push.cuh) until enough arcs are settled, then pulls (pull.cuh) for the rest. The
// kernel includes settle.cuh, too, which has the step between them, and single_vertices.cuh, which
// has pushes of a few vertices.
#pragma once

#include <cstdint>

#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/runtime/clock.cuh"
#include "gpu/runtime/grid_total.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/pull.cuh"
#include "gpu/sssp/push.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

inline constexpr std::uint64_t kNoDistance = SsspCounts::none().nearest;

/// The shared memory of a block.
template <bool kSeveral>
union SsspStores {
    PushStores<kSeveral> push;
    PullStores pull;
};

/// A search, as one thread of the grid sees it. kSeveral: whether several GPUs search together; the
/// blocks of all of them then take the same steps, between the same barriers.
template <typename Distance, bool kSeveral>
class SsspKernel
{
public:
    using Barrier = GridBarrier<SsspCounts>;

    __device__ SsspKernel(const SsspView& view, SsspStores<kSeveral>& stores)
        : view_(view), stores_(stores), barrier_(view.barrier)
    {
    }

    /// `slot`: the source's; kNone if another GPU owns the source, or if it has no edges.
    __device__ void run(std::uint32_t slot)
    {
        if (first_index() == 0) {
            view_.summary->begin = now();
            view_.summary->first_tick = clock64();
        }
        Source source{slot, slot != LocalSlotsView::kNone, {}, Distance::kInfinity};
        if (source.is_own) {
            source.list = view_.graph.lists[slot];
            // Infinite without arcs, whose list may begin at the end of the allocation.
            source.least = view_.graph.heads[std::uint64_t{slot} * kHeadArcs].weight;
        }
        begin(source);
        push();
        const bool leftovers = at_.nearest != kNoDistance;
        const std::uint32_t nearest = settle(source, leftovers);
        if (leftovers) pull(nearest);
        finish();
    }

private:
    using All = Gpus<kSeveral>;

    struct Source
    {
        std::uint32_t slot;
        bool is_own;  // whether this GPU owns it, and it has edges; always on one GPU
        ListPlace list;
        std::uint32_t least;  // the weight of its lightest arc
    };

    // Of the largest round of a window, over the round at which the next begins.
    static constexpr std::uint32_t kTail = 8;
    // A block begins to take steps alone at that part of the size at which it ends.
    static constexpr std::uint32_t kHysteresis = 4;
    // That a step may relax for each of the few vertices that one block is left.
    static constexpr std::uint32_t kArcsPerVertex = 8;
    // Of all slots, one in 2^kLargeShift counts as of large degree.
    static constexpr std::uint32_t kLargeShift = 8;
    static constexpr std::uint32_t kMostNear = 256;  // vertices
    // The most arcs, for each open vertex, of the vertices that a pull has improved if these are to
    // push again. A pass reads a few words for each open vertex, and several passes would follow.
    static constexpr std::uint32_t kArcsOfOpen = 8;
    static constexpr std::uint32_t kMostNearArcs = 1 << 15;  // of all of them

    /// What a step of pushes visits: the frontier and, if the window has widened, the waiting
    /// vertices.
    struct PushStep
    {
        bool widens;
        std::uint32_t waits;
    };

    /// Makes the source the frontier, and sets the first limit. On several GPUs, all have to learn
    /// the weight of the source's lightest arc.
    __device__ void begin(Source& source)
    {
        if (first_index() == 0 && source.is_own) {
            view_.own.pushed[source.slot].best = PushState::path(0, All::column(view_, source.slot));
            view_.own.frontiers[0][0] = source.slot;
        }
        __syncthreads();
        at_ = {.nearest = kNoDistance,
               .settled_arcs = 0,
               .work = 0,
               .size = 1,
               .most = 1,
               .window = 0,
               .limit = 0,
               .round = 1,
               .steps = 0};
        own_size_ = source.is_own ? 1 : 0;
        if constexpr (kSeveral) {
            SsspCounts own = SsspCounts::none();
            if (first_index() == 0 && source.is_own) own = {source.least, 0, 1};
            const SsspCounts counts = barrier_.reduce(own).counts;
            at_.size = static_cast<std::uint32_t>(counts.work);  // 0 if the source has no edges
            source.least = at_.size > 0 ? static_cast<std::uint32_t>(counts.nearest) : Distance::kInfinity;
        }
        set_limit(source.least);
    }

    /// Pushes from the source in windows. On one GPU, the grid's blocks take large steps together.
    /// Small ones are taken by one block alone, which needs no barrier of the grid, while the
    /// others wait.
    __device__ void push()
    {
        bool alone = false;  // whether this block has taken the last step alone
#pragma unroll 1
        for (PushStep step;;) {
            const bool more = plan(step);
            const bool small = !kSeveral && more && is_small(step, alone ? view_.few : view_.few / kHysteresis);
            if (alone ? !small : small && blockIdx.x != 0) {
                share_progress();
                alone = false;
                continue;
            }
            if (!more) return;
            alone = small;
            if (alone) clear_alone_size();
            const SsspCounts own = take(step, alone, alone ? &alone_size() : frontier_size());
            if (alone) {
                const SsspCounts counts = reduce_alone(own);
                pass(counts, alone_size());
            } else if constexpr (kSeveral) {
                const typename Barrier::Totals totals = barrier_.reduce(own, &view_.own.sizes->frontier[at_.round % 3]);
                own_size_ = static_cast<std::uint32_t>(totals.local_total);
                pass(totals.counts, static_cast<std::uint32_t>(totals.counts.work));
            } else {
                const typename Barrier::Totals totals = barrier_.reduce(own);
                pass(totals.counts, static_cast<std::uint32_t>(totals.local_total));
            }
        }
    }

    /// Returns whether there is another step, and which.
    ///
    /// When a round improves few vertices in comparison with the largest one of its window, the
    /// next window begins at once: rounds of a few vertices take as long as those of thousands.
    [[nodiscard]] __device__ bool plan(PushStep& step) const
    {
        const bool last = at_.nearest == kNoDistance || at_.settled_arcs >= view_.pull_from;
        if (at_.size == 0 && last) return false;
        step.widens = !last && std::uint64_t{at_.size} * kTail < at_.most;
        step.waits = step.widens ? fresh(view_.own.sizes->waiting[at_.window % 3]) : 0;
        return true;
    }

    [[nodiscard]] __device__ bool is_small(const PushStep& step, std::uint32_t few) const
    {
        return at_.size + step.waits <= few && at_.work <= std::uint64_t{few} * kArcsPerVertex;
    }

    /// The size of the next frontier while a block takes steps alone.
    [[nodiscard]] static __device__ std::uint32_t& alone_size()
    {
        __shared__ std::uint32_t size;
        return size;
    }

    __device__ void clear_alone_size()
    {
        __syncthreads();
        if (threadIdx.x == 0) alone_size() = 0;
    }

    /// The reduction of the counts of a block's threads.
    [[nodiscard]] static __device__ SsspCounts reduce_alone(const SsspCounts& own)
    {
        __shared__ CountWords<SsspCounts> counts;
        const CountWords<SsspCounts> of_block = reduce_block(own);
        if (threadIdx.x == 0) counts = of_block;
        __syncthreads();
        return counts.counts();
    }

    /// All blocks learn from the first one how far it has come alone.
    __device__ void share_progress()
    {
        __shared__ PushProgress shared;
        if (first_index() == 0) *view_.progress = at_;
        barrier_.reduce(SsspCounts::none());
        if (threadIdx.x == 0) {
            shared.nearest = fresh(view_.progress->nearest);
            shared.settled_arcs = fresh(view_.progress->settled_arcs);
            shared.work = fresh(view_.progress->work);
            shared.size = fresh(view_.progress->size);
            shared.most = fresh(view_.progress->most);
            shared.window = fresh(view_.progress->window);
            shared.limit = fresh(view_.progress->limit);
            shared.round = fresh(view_.progress->round);
            shared.steps = fresh(view_.progress->steps);
        }
        __syncthreads();
        at_ = shared;
    }

    /// Takes a step, with this block alone or with all blocks. `frontier_size` is 0.
    [[nodiscard]] __device__ SsspCounts take(const PushStep& step, bool alone, std::uint32_t* frontier_size)
    {
        if (step.widens) {
            set_limit(static_cast<std::uint32_t>(at_.nearest));
            at_.nearest = kNoDistance;
            at_.most = 1;
            ++at_.window;
            if (first_index() == 0) view_.own.sizes->waiting[(at_.window + 1) % 3] = 0;
        }
        // Was read before the last barrier, and is added to after the next.
        if (kSeveral && first_index() == 0) view_.own.sizes->frontier[(at_.round + 1) % 3] = 0;
        const std::uint32_t size = kSeveral ? own_size_ : at_.size;
        record(step.widens ? SsspStep::window : SsspStep::rounds, size + step.waits);
        Push<Distance, kSeveral> push(view_, stores_.push, alone ? Team::block() : Team::grid(), at_.limit,
                                      at_.round + 1, frontier_size, at_.window, relaxed_);
        if (size > 0) push.visit_frontier(view_.own.frontiers[(at_.round + 1) % 2], size);
        if (step.waits > 0) push.visit_waiting(view_.waiting[(at_.window + 1) % 2], step.waits);
        return push.finish();
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

    /// The end of a step of pushes; `size` vertices were improved.
    __device__ void pass(const SsspCounts& counts, std::uint32_t size)
    {
        at_.nearest = counts.nearest < at_.nearest ? counts.nearest : at_.nearest;
        at_.settled_arcs += counts.found;
        at_.work = counts.work;
        at_.size = size;
        at_.most = size > at_.most ? size : at_.most;
        ++at_.round;
    }

    // In settle.cuh.
    [[nodiscard]] __device__ std::uint32_t settle(const Source& source, bool leftovers);
    [[nodiscard]] __device__ SsspCounts nearest_of_large() const;
    __device__ void relax_leftovers(const Source& source) const;
    template <typename F>
    __device__ void for_reached(std::uint32_t count, F&& f) const;
    __device__ void collect_near(std::uint32_t slot);

    // In single_vertices.cuh.
    __device__ void relax_near(std::uint32_t count);
    [[nodiscard]] __device__ bool improved_are_to_push(const SsspCounts& counts);
    __device__ void push_improved(std::uint32_t count);
    [[nodiscard]] __device__ std::uint32_t relax_single(const std::uint32_t* slots, std::uint32_t count,
                                                        const Team& team, bool takes, std::uint32_t round);
    [[nodiscard]] __device__ std::uint32_t offer(const SingleVertices::Vertex& from, const ListPlace& list,
                                                 std::uint32_t first, std::uint32_t end, std::uint32_t stride,
                                                 std::uint32_t round);
    [[nodiscard]] __device__ std::uint32_t take_offer(std::uint32_t slot);

    /// Pulls until nothing changes, or few vertices improve, which then push.
    __device__ void pull(std::uint32_t least)
    {
        std::uint32_t number = 0;  // of the pass
        record(SsspStep::pull, view_.first_leaf > reached_ ? view_.first_leaf - reached_ : 0);
        Pull<Distance, kSeveral> all(view_, stores_.pull, least, at_.limit, number, pulled_);
        all.visit_all();
        SsspCounts counts = barrier_.reduce(all.finish()).counts;
        std::uint32_t settled = at_.limit;
        while (counts.work > 0 && counts.found > 0) {
            // The first pass does not collect the vertices that it improves.
            if (number > 0 && improved_are_to_push(counts)) {
                push_improved(static_cast<std::uint32_t>(counts.work));
                return;
            }
            // What may still change lies behind what has just changed.
            const auto changed = static_cast<std::uint32_t>(counts.nearest);
            settled = changed > settled ? changed : settled;
            record(SsspStep::pull_again, static_cast<std::uint32_t>(counts.found));
            ++number;
            Pull<Distance, kSeveral> some(view_, stores_.pull, settled, settled, number, pulled_);
            some.visit_open();
            counts = barrier_.reduce(some.finish()).counts;
        }
    }

    __device__ void finish()
    {
        SsspSummary& summary = *view_.summary;
        const std::uint64_t relaxed = warp_sum(relaxed_);
        const std::uint64_t pulled = warp_sum(pulled_);
        if (lane_id() == 0 && relaxed > 0)
            atomicAdd(reinterpret_cast<unsigned long long*>(&summary.relaxed_arcs), relaxed);
        if (lane_id() == 0 && pulled > 0)
            atomicAdd(reinterpret_cast<unsigned long long*>(&summary.pulled_arcs), pulled);
        if (first_index() == 0) {
            summary.steps = at_.steps;
            summary.last_tick = clock64();
            summary.end = now();
            SsspSizes& sizes = *view_.own.sizes;
            sizes.reached = 0;
            sizes.near = 0;
            for (std::uint32_t& size : sizes.offered) size = 0;
            for (std::uint32_t& size : sizes.waiting) size = 0;
            if constexpr (kSeveral)
                for (std::uint32_t& size : sizes.frontier) size = 0;
        }
        barrier_.finish();
    }

    /// A number that other blocks have written before the last barrier.
    template <typename T>
    [[nodiscard]] static __device__ T fresh(const T& number)
    {
        return *static_cast<const volatile T*>(&number);
    }

    [[nodiscard]] static __device__ std::uint64_t warp_sum(std::uint64_t value)
    {
        for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kAllLanes, value, offset);
        return value;
    }

    /// The next window begins at the nearest distance that is left.
    __device__ void set_limit(std::uint32_t nearest)
    {
        const std::uint32_t limit = Distance::sum(nearest, view_.width);
        const std::uint32_t beyond = limit > nearest ? limit : nearest + 1;
        at_.limit = beyond < view_.end ? beyond : view_.end;
    }

    /// The size of the list of the next frontier, on one GPU. It is 0 before the step.
    [[nodiscard]] __device__ std::uint32_t* frontier_size() const
    {
        return reinterpret_cast<std::uint32_t*>(barrier_.next_local_total());
    }

    __device__ void record(SsspStep step, std::uint32_t vertices)
    {
        if (first_index() == 0 && at_.steps < SsspSummary::kMostRecords)
            view_.summary->records[at_.steps] = {clock64(), step, vertices};
        ++at_.steps;
    }

    const SsspView& view_;
    SsspStores<kSeveral>& stores_;
    mutable Barrier barrier_;
    PushProgress at_ = {};
    std::uint32_t own_size_ = 0;  // of this GPU's frontier; only on several GPUs
    std::uint32_t reached_ = 0;   // own vertices that pushes reached
    std::uint32_t relaxed_ = 0;
    std::uint32_t pulled_ = 0;
};

}  // namespace wayfront::gpu::sssp
