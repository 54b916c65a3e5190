#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/runtime/clock.cuh"
#include "gpu/runtime/grid_total.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/pull.cuh"
#include "gpu/sssp/push.cuh"
#include "gpu/sssp/results.cuh"

namespace wayfront::gpu {

namespace {

constexpr std::uint64_t kNoDistance = SsspCounts::none().nearest;

/// All blocks from the given one on share out this work.
template <typename Distance>
__device__ void clear_distances(const SsspView& view, unsigned first_block)
{
    if (blockIdx.x < first_block) return;
    const std::uint64_t skipped = std::uint64_t{first_block} * blockDim.x;
    for (std::uint64_t i = first_index() - skipped; i < view.graph.slots; i += index_stride() - skipped)
        view.bounds[i] = StoredBounds::open(Distance::kInfinity, 0);
}

/// The shared memory of a block.
union Stores {
    PushStores push;
    PullStores pull;
};

/// A search, as one thread of the grid sees it.
template <typename Distance>
class Search
{
public:
    using Barrier = GridBarrier<SsspCounts>;

    __device__ Search(const SsspView& view, Stores& stores) : view_(view), stores_(stores), barrier_(view.barrier) {}

    __device__ void run(std::uint32_t source)
    {
        if (first_index() == 0) {
            view_.summary->begin = now();
            view_.summary->first_tick = clock64();
        }
        const ListPlace list = view_.graph.lists[source];
        const std::uint32_t least = view_.graph.list_arcs[list.begin()].weight;
        push(source, least);
        const bool leftovers = at_.nearest != kNoDistance;
        const std::uint32_t nearest = settle(source, list, leftovers, least);
        if (leftovers) pull(nearest);
        finish();
    }

private:
    static constexpr std::uint32_t kTail = 8;                // of the largest round of a window, over the round at which the next begins
    static constexpr std::uint32_t kHysteresis = 4;          // a block begins to take steps alone at that part of the size at which it ends
    static constexpr std::uint32_t kArcsPerVertex = 8;       // that a step may relax for each of the few vertices that one block is left
    static constexpr std::uint32_t kLargeShift = 8;          // of all slots, one in 2^kLargeShift counts as of large degree
    static constexpr std::uint32_t kMostNear = 256;          // vertices
    static constexpr std::uint32_t kMostNearArcs = 1 << 15;  // the lists of vertices have room for as many, whatever the graph

    /// What a step of pushes visits: the frontier and, if the window has widened, the waiting
    /// vertices.
    struct PushStep
    {
        bool widens;
        std::uint32_t waits;
    };

    /// Pushes from the source in windows. The grid's blocks take large steps together. Small ones
    /// are taken by one block alone, which needs no barrier of the grid, while the others wait. The
    /// first one is small, and the other blocks clear the distances in the meantime, which pushes
    /// do not use.
    __device__ void push(std::uint32_t source, std::uint32_t least)
    {
        if (first_index() == 0) {
            view_.pushed[source].best = source;
            view_.pushed[source].queued = 1;
            view_.frontiers[0][0] = source;
        }
        __syncthreads();
        at_ = {.nearest = kNoDistance, .settled_arcs = 0, .work = 0, .size = 1, .most = 1, .window = 0, .limit = 0, .round = 1, .steps = 0};
        set_limit(least);
        clear_distances<Distance>(view_, gridDim.x > 1 ? 1 : 0);
        bool alone = false;  // whether this block has taken the last step alone
#pragma unroll 1
        for (PushStep step;;) {
            const bool more = plan(step);
            const bool small = more && is_small(step, alone ? view_.few : view_.few / kHysteresis);
            if (alone ? !small : small && blockIdx.x != 0) {
                share_progress();
                alone = false;
                continue;
            }
            if (!more) return;
            alone = small;
            if (alone) clear_alone_size();
            const SsspCounts own = take(step, alone ? Team::block() : Team::grid(), alone ? &alone_size() : frontier_size());
            if (alone) {
                const SsspCounts counts = reduce_alone(own);
                pass(counts, alone_size());
            } else {
                const typename Barrier::Totals totals = barrier_.reduce(own);
                pass(totals.counts, static_cast<std::uint32_t>(totals.local_total));
            }
        }
    }

    /// Returns whether there is another step, and which.
    ///
    /// When a round improves few vertices in comparison with the largest one of its window, the next
    /// window begins at once: rounds of a few vertices take as long as those of thousands.
    [[nodiscard]] __device__ bool plan(PushStep& step) const
    {
        const bool last = at_.nearest == kNoDistance || at_.settled_arcs >= view_.pull_from;
        if (at_.size == 0 && last) return false;
        step.widens = !last && std::uint64_t{at_.size} * kTail < at_.most;
        step.waits = step.widens ? fresh(view_.sizes->waiting[at_.window % 3]) : 0;
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

    /// Takes a step with a team, of which this thread is one. `frontier_size` is 0.
    [[nodiscard]] __device__ SsspCounts take(const PushStep& step, const Team& team, std::uint32_t* frontier_size)
    {
        if (step.widens) {
            set_limit(static_cast<std::uint32_t>(at_.nearest));
            at_.nearest = kNoDistance;
            at_.most = 1;
            ++at_.window;
            if (first_index() == 0) view_.sizes->waiting[(at_.window + 1) % 3] = 0;
        }
        record(step.widens ? SsspStep::window : SsspStep::rounds, at_.size + step.waits);
        Push<Distance> push(view_, stores_.push, team, at_.limit, at_.round + 1, view_.frontiers[at_.round % 2], frontier_size, at_.window, relaxed_);
        if (at_.size > 0) push.visit_frontier(view_.frontiers[(at_.round + 1) % 2], at_.size);
        if (step.waits > 0) push.visit_waiting(view_.waiting[(at_.window + 1) % 2], step.waits);
        return push.finish();
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

    /// Writes distances and parents of the vertices that pushes reached, and of those that the
    /// source's other arcs lead to if `leftovers` are to be pulled: as the source is nearer than
    /// any other vertex, its arcs would let no pull end early. Returns a distance: pulls need not
    /// look at arcs of nearer vertices. `least` is such a distance, too.
    [[nodiscard]] __device__ std::uint32_t settle(std::uint32_t source, ListPlace list, bool leftovers, std::uint32_t least)
    {
        const std::uint32_t count = fresh(view_.sizes->reached);
        reached_ = count;
        record(SsspStep::settle, count);
        const std::uint32_t large = view_.graph.slots >> kLargeShift;
        SsspCounts own = SsspCounts::none();
        for_reached(count, [&](std::uint32_t slot, std::uint64_t best) {
            const auto distance = static_cast<std::uint32_t>(best >> 32);
            view_.bounds[slot] = StoredBounds::final(distance, static_cast<std::uint32_t>(best));
            if (slot < large && distance < own.nearest) own.nearest = distance;
        });
        if (leftovers) {
            const auto place = static_cast<std::uint32_t>(__ldcg(&view_.pushed[source].progress));
            for (std::uint64_t i = place + first_index(); i < list.degree(); i += index_stride()) {
                const Arc arc = view_.graph.list_arcs[list.begin() + i];
                if (__ldcg(&view_.pushed[arc.slot].best) != PushState::kNothing || arc.weight >= view_.end) continue;
                view_.bounds[arc.slot] = StoredBounds::open(arc.weight, 0);
                view_.parents[arc.slot] = source;
            }
        }
        const std::uint64_t nearest_large = barrier_.reduce(own).counts.nearest;
        const bool has_near = leftovers && nearest_large != kNoDistance && nearest_large > least;
        // Back to the state between searches.
        own = SsspCounts::none();
        for_reached(count, [&](std::uint32_t slot, std::uint64_t best) {
            view_.pushed[slot] = {PushState::kNothing, PushState::kNothing, 0, 0};
            if (has_near && best >> 32 < nearest_large && slot != source) {
                collect_near(slot);
                ++own.found;
                own.work += view_.graph.lists[slot].degree();
            }
        });
        if (!has_near) return least;
        const SsspCounts near = barrier_.reduce(own).counts;
        if (near.found > kMostNear || near.work > kMostNearArcs) return least;
        relax_near(static_cast<std::uint32_t>(near.found));
        return static_cast<std::uint32_t>(nearest_large);
    }

    /// Calls f(slot, its distance and parent) for this thread's share of the vertices that pushes reached.
    template <typename F>
    __device__ void for_reached(std::uint32_t count, F&& f) const
    {
        constexpr std::uint32_t each = 4;  // under way together
        for (std::uint64_t first = first_index(); first < count; first += each * index_stride()) {
            std::uint32_t slots[each];
            std::uint64_t bests[each];
#pragma unroll
            for (std::uint32_t k = 0; k < each; ++k) {
                const std::uint64_t i = first + k * index_stride();
                slots[k] = __ldcg(view_.reached + (i < count ? i : first));
            }
#pragma unroll
            for (std::uint32_t k = 0; k < each; ++k) bests[k] = __ldcg(&view_.pushed[slots[k]].best);
#pragma unroll
            for (std::uint32_t k = 0; k < each; ++k)
                if (first + k * index_stride() < count) f(slots[k], bests[k]);
        }
    }

    // Between the source and the nearest vertex of large degree there are few vertices, but these would make pulls read far:
    // an arc can improve a distance if its weight is less than the difference to the smallest distance of a neighbour.
    // So these vertices relax all their arcs once.

    __device__ void collect_near(std::uint32_t slot)
    {
        const std::uint32_t place = atomicAdd(&view_.sizes->near, 1U);
        if (place < kMostNear) view_.frontiers[0][place] = slot;
    }

    /// The collected vertices relax their arcs to vertices that are not settled.
    __device__ void relax_near(std::uint32_t count)
    {
        for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
            const std::uint32_t slot = __ldcg(view_.frontiers[0] + i);
            const std::uint32_t distance = __ldcg(&view_.bounds[slot].upper);
            const ListPlace list = view_.graph.lists[slot];
            for (std::uint32_t first = threadIdx.x - lane_id(); first < list.degree(); first += blockDim.x) {
                const std::uint32_t place = first + lane_id();
                const Arc arc = place < list.degree() ? view_.graph.list_arcs[list.begin() + place] : Arc{slot, 0};
                const std::uint32_t sum = Distance::sum(distance, arc.weight);
                const bool improves = sum < view_.end && sum < __ldcg(&view_.bounds[arc.slot].upper);
                if (improves)
                    atomicMin(reinterpret_cast<unsigned long long*>(&view_.pushed[arc.slot].best), static_cast<unsigned long long>(sum) << 32 | slot);
                const std::uint32_t lanes = __ballot_sync(kAllLanes, improves);
                if (lanes == 0) continue;
                std::uint32_t at = 0;
                if (lane_id() == 0) at = atomicAdd(&view_.sizes->improved, static_cast<std::uint32_t>(__popc(lanes)));
                at = __shfl_sync(kAllLanes, at, 0) + lanes_below(lanes);
                if (improves) view_.frontiers[1][at] = arc.slot;
            }
        }
        barrier_.reduce(SsspCounts::none());
        const std::uint32_t improved = fresh(view_.sizes->improved);
        for (std::uint64_t i = first_index(); i < improved; i += index_stride()) {
            const std::uint32_t slot = __ldcg(view_.frontiers[1] + i);
            auto* const best = reinterpret_cast<unsigned long long*>(&view_.pushed[slot].best);
            const std::uint64_t found = atomicExch(best, static_cast<unsigned long long>(PushState::kNothing));
            if (found == PushState::kNothing) continue;  // another thread has taken it
            view_.bounds[slot] = StoredBounds::open(static_cast<std::uint32_t>(found >> 32), 0);
            view_.parents[slot] = static_cast<std::uint32_t>(found);
        }
        barrier_.reduce(SsspCounts::none());
    }

    /// Pulls until nothing changes.
    __device__ void pull(std::uint32_t least)
    {
        std::uint32_t number = 0;  // of the pass
        record(SsspStep::pull, view_.graph.slots - reached_);
        Pull<Distance> all(view_, stores_.pull, least, at_.limit, number, pulled_);
        all.visit_all();
        SsspCounts counts = barrier_.reduce(all.finish()).counts;
        std::uint32_t settled = at_.limit;
        while (counts.work > 0 && counts.found > 0) {
            // What may still change lies behind what has just changed.
            const auto changed = static_cast<std::uint32_t>(counts.nearest);
            settled = changed > settled ? changed : settled;
            record(SsspStep::pull_again, static_cast<std::uint32_t>(counts.found));
            ++number;
            Pull<Distance> some(view_, stores_.pull, settled, settled, number, pulled_);
            some.visit_open();
            counts = barrier_.reduce(some.finish()).counts;
        }
    }

    __device__ void finish()
    {
        SsspSummary& summary = *view_.summary;
        const std::uint64_t relaxed = warp_sum(relaxed_);
        const std::uint64_t pulled = warp_sum(pulled_);
        if (lane_id() == 0 && relaxed > 0) atomicAdd(reinterpret_cast<unsigned long long*>(&summary.relaxed_arcs), relaxed);
        if (lane_id() == 0 && pulled > 0) atomicAdd(reinterpret_cast<unsigned long long*>(&summary.pulled_arcs), pulled);
        if (first_index() == 0) {
            summary.steps = at_.steps;
            summary.last_tick = clock64();
            summary.end = now();
            view_.sizes->reached = 0;
            view_.sizes->near = 0;
            view_.sizes->improved = 0;
            for (std::uint32_t& size : view_.sizes->waiting) size = 0;
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

    /// The size of the list of the next frontier. It is 0 before the step.
    [[nodiscard]] __device__ std::uint32_t* frontier_size() const
    {
        return reinterpret_cast<std::uint32_t*>(barrier_.next_local_total());
    }

    __device__ void record(SsspStep step, std::uint32_t vertices)
    {
        if (first_index() == 0 && at_.steps < SsspSummary::kMostRecords) view_.summary->records[at_.steps] = {clock64(), step, vertices};
        ++at_.steps;
    }

    const SsspView& view_;
    Stores& stores_;
    mutable Barrier barrier_;
    PushProgress at_ = {};
    std::uint32_t reached_ = 0;
    std::uint32_t relaxed_ = 0;
    std::uint32_t pulled_ = 0;
};

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1) search(SsspView view, SsspSource source)
{
    extern __shared__ Stores memory[];
    Stores& stores = memory[0];
    const std::uint32_t slot = view.graph.local_slots.slot_of(source.local);
    if (slot != LocalSlotsView::kNone)
        Search<Distance>(view, stores).run(slot);
    else
        clear_distances<Distance>(view, 0);  // nothing is reached from a vertex without edges
}

/// distance << 32 | parent of each slot.
struct SlotResults
{
    const StoredBounds* bounds;
    const std::uint32_t* parents;

    [[nodiscard]] __device__ std::uint64_t operator()(std::uint32_t slot) const
    {
        const StoredBounds found = bounds[slot];
        return std::uint64_t{found.upper} << 32 | (found.has_parent() ? found.parent() : parents[slot]);
    }
};

__global__ void clear_states(PushState* states, std::uint32_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) states[i] = {PushState::kNothing, PushState::kNothing, 0, 0};
}

}  // namespace

void clear_push_states(const SsspView& view, const Stream& stream)
{
    launch(clear_states, view.graph.slots, stream, view.pushed, view.graph.slots);
}

SsspLaunch plan_sssp_launch(WeightType type)
{
    SsspLaunch how;
    with_distance(type, [&](auto distance) {
        const auto* const kernel = reinterpret_cast<const void*>(search<decltype(distance)>);
        int device = 0;
        int most = 0;  // of a block
        cudaFuncAttributes attributes{};
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        check(cudaFuncGetAttributes(&attributes, kernel));
        how.shared_bytes = static_cast<std::size_t>(most) - attributes.sharedSizeBytes;
        how.hubs = static_cast<std::uint32_t>((how.shared_bytes - sizeof(PullStores)) / sizeof(std::uint32_t));
        how.blocks = cooperative_blocks(kernel, kSsspThreads, how.shared_bytes, "the search for shortest paths");
    });
    return how;
}

void launch_sssp(const SsspView& view, SsspSource source, WeightType type, const SsspLaunch& how, const Stream& stream)
{
    with_distance(type, [&](auto distance) {
        launch_cooperative(search<decltype(distance)>, how.blocks, kSsspThreads, how.shared_bytes, stream, view, source);
        launch_write_results<decltype(distance)>(view.graph, SlotResults{view.bounds, view.parents},
                                                 {view.result_distances, view.result_parents, &view.summary->reached}, source, stream);
    });
}

}  // namespace wayfront::gpu
