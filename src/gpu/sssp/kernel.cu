#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/graph/local_fours.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/pull.cuh"
#include "gpu/sssp/push.cuh"

namespace wayfront::gpu {

namespace {

constexpr int kThreads = 1024;
constexpr std::uint64_t kNoDistance = SsspCounts::none().nearest;

__device__ std::uint64_t now()
{
    std::uint64_t nanoseconds = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

template <typename Distance>
__device__ void clear_distances(const SsspView& view)
{
    for (std::uint64_t i = first_index(); i < view.graph.slots; i += index_stride()) view.distances[i] = Distance::kInfinity;
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
        clear_distances<Distance>(view_);
        const ListPlace list = view_.graph.lists[source];
        const std::uint32_t least = view_.graph.list_arcs[list.begin()].weight;
        const bool leftovers = push(source, least);
        settle(source, list, leftovers);
        if (leftovers) pull(least);
        finish();
    }

private:
    static constexpr std::uint32_t kTail = 8;  // of the largest round of a window, over the round at which the next begins

    /// Pushes from the source in windows. Returns whether vertices are left to be pulled.
    ///
    /// When a round improves few vertices in comparison with the largest one of its window, the next
    /// window begins at once: rounds of a few vertices take as long as those of thousands.
    __device__ bool push(std::uint32_t source, std::uint32_t least)
    {
        if (first_index() == 0) {
            view_.pushed[source].best = source;
            view_.pushed[source].queued = 1;
            view_.frontiers[0][0] = source;
        }
        barrier_.reduce(SsspCounts::none());
        std::uint64_t settled_arcs = 0;
        std::uint64_t nearest = kNoDistance;
        std::uint32_t size = 1;    // of the frontier
        std::uint32_t most = 1;    // of the frontiers of this window
        std::uint32_t number = 0;  // of the window
        set_limit(least);
        for (;;) {
            const bool last = nearest == kNoDistance || settled_arcs >= view_.pull_from;
            if (size == 0 && last) return nearest != kNoDistance;
            const bool widens = !last && std::uint64_t{size} * kTail < most;
            std::uint32_t waits = 0;
            if (widens) {
                waits = fresh(view_.sizes->waiting[number % 3]);
                set_limit(static_cast<std::uint32_t>(nearest));
                nearest = kNoDistance;
                most = 1;
                ++number;
                if (first_index() == 0) view_.sizes->waiting[(number + 1) % 3] = 0;
            }
            record(widens ? SsspStep::window : SsspStep::rounds, size + waits);
            Push<Distance> step(view_, stores_.push, limit_, round_ + 1, view_.frontiers[round_ % 2], frontier_size(), number, relaxed_);
            if (size > 0) step.visit_frontier(view_.frontiers[(round_ + 1) % 2], size);
            if (waits > 0) step.visit_waiting(view_.waiting[(number + 1) % 2], waits);
            pass(step.finish(), nearest, settled_arcs, size);
            most = size > most ? size : most;
        }
    }

    /// The end of a step of pushes.
    __device__ void pass(const SsspCounts& own, std::uint64_t& nearest, std::uint64_t& settled_arcs, std::uint32_t& size)
    {
        const typename Barrier::Totals totals = barrier_.reduce(own);
        nearest = totals.counts.nearest < nearest ? totals.counts.nearest : nearest;
        settled_arcs += totals.counts.settled_arcs;
        size = static_cast<std::uint32_t>(totals.local_total);
        ++round_;
    }

    /// Writes distances and parents of the vertices that pushes reached, and of those that the
    /// source's other arcs lead to if `leftovers` are to be pulled: as the source is nearer than
    /// any other vertex, its arcs would let no pull end early.
    __device__ void settle(std::uint32_t source, ListPlace list, bool leftovers)
    {
        const std::uint32_t count = fresh(view_.sizes->reached);
        reached_ = count;
        record(SsspStep::settle, count);
        for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
            const std::uint32_t slot = __ldcg(view_.reached + i);
            const std::uint64_t best = __ldcg(&view_.pushed[slot].best);
            view_.distances[slot] = static_cast<std::uint32_t>(best >> 32);
            view_.parents[slot] = static_cast<std::uint32_t>(best);
        }
        if (leftovers) {
            const auto place = static_cast<std::uint32_t>(__ldcg(&view_.pushed[source].progress));
            for (std::uint64_t i = place + first_index(); i < list.degree(); i += index_stride()) {
                const Arc arc = view_.graph.list_arcs[list.begin() + i];
                if (__ldcg(&view_.pushed[arc.slot].best) != PushState::kNothing || arc.weight >= view_.end) continue;
                view_.distances[arc.slot] = arc.weight;
                view_.parents[arc.slot] = source;
            }
        }
        barrier_.reduce(SsspCounts::none());
        // Back to the state between searches.
        for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
            const std::uint32_t slot = __ldcg(view_.reached + i);
            view_.pushed[slot] = {PushState::kNothing, PushState::kNothing, 0, 0};
        }
    }

    /// Pulls until nothing changes.
    __device__ void pull(std::uint32_t least)
    {
        std::uint32_t number = 0;  // of the pass
        record(SsspStep::pull, view_.graph.slots - reached_);
        Pull<Distance> all(view_, stores_.pull, least, limit_, number, pulled_);
        all.visit_all();
        SsspCounts counts = barrier_.reduce(all.finish()).counts;
        const std::uint32_t unfinished = fresh(view_.sizes->unfinished);
        record(SsspStep::read_on, unfinished);
        Pull<Distance> rest(view_, stores_.pull, least, limit_, number, pulled_);
        rest.visit_unfinished(unfinished);
        const SsspCounts more = barrier_.reduce(rest.finish()).counts;
        counts.changed += more.changed;
        counts.nearest = more.nearest < counts.nearest ? more.nearest : counts.nearest;
        while (counts.changed > 0) {
            const std::uint32_t size = fresh(view_.sizes->open[number % 3]);
            if (size == 0) break;
            // What may still change lies behind what has just changed.
            const auto changed = static_cast<std::uint32_t>(counts.nearest);
            limit_ = changed > limit_ ? changed : limit_;
            record(SsspStep::pull_again, size);
            ++number;
            if (first_index() == 0) view_.sizes->open[(number + 1) % 3] = 0;
            Pull<Distance> some(view_, stores_.pull, limit_, limit_, number, pulled_);
            some.visit_open(view_.open[(number + 1) % 2], size);
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
            summary.steps = steps_;
            summary.end = now();
            view_.sizes->reached = 0;
            for (std::uint32_t& size : view_.sizes->waiting) size = 0;
            for (std::uint32_t& size : view_.sizes->open) size = 0;
            view_.sizes->unfinished = 0;
        }
        barrier_.finish();
    }

    /// A number that other blocks have written before the last barrier.
    [[nodiscard]] static __device__ std::uint32_t fresh(const std::uint32_t& number) { return *static_cast<const volatile std::uint32_t*>(&number); }

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
        limit_ = beyond < view_.end ? beyond : view_.end;
    }

    /// The size of the list of the next frontier. It is 0 before the step.
    [[nodiscard]] __device__ std::uint32_t* frontier_size() const { return reinterpret_cast<std::uint32_t*>(barrier_.next_local_total()); }

    __device__ void record(SsspStep step, std::uint32_t vertices)
    {
        if (first_index() == 0 && steps_ < SsspSummary::kMostRecords) view_.summary->records[steps_] = {now(), step, vertices};
        ++steps_;
    }

    const SsspView& view_;
    Stores& stores_;
    mutable Barrier barrier_;
    std::uint32_t width_;      // of the next window
    std::uint32_t limit_ = 0;  // distances below are final when a window ends
    std::uint32_t round_ = 1;
    std::uint32_t reached_ = 0;
    std::uint32_t relaxed_ = 0;
    std::uint32_t pulled_ = 0;
    std::uint32_t steps_ = 0;
};

template <typename Distance>
__global__ void __launch_bounds__(kThreads, 1) search(SsspView view, SsspSource source)
{
    __shared__ Stores stores;
    const std::uint32_t slot = view.graph.local_slots.slot_of(source.local);
    if (slot != LocalSlotsView::kNone)
        Search<Distance>(view, stores).run(slot);
    else
        clear_distances<Distance>(view);  // nothing is reached from a vertex without edges
}

constexpr int kOutputThreads = 512;

/// Writes distances and parents in the order of local numbers.
template <typename Distance>
__global__ void __launch_bounds__(kOutputThreads, 4) write_results(SsspView view, SsspSource source)
{
    LocalFours fours(view.graph.local_slots);
    if (fours.past_the_end()) return;
    std::uint32_t distances[LocalFours::kEach];
    std::int32_t parents[LocalFours::kEach];
    std::uint32_t slots[LocalFours::kEach];
    fours.load_slots(slots);
    std::uint32_t reached = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < LocalFours::kEach; ++i) {
        distances[i] = slots[i] != LocalSlotsView::kNone ? view.distances[slots[i]] : Distance::kInfinity;
        parents[i] = slots[i] != LocalSlotsView::kNone ? static_cast<std::int32_t>(view.parents[slots[i]]) : -1;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < LocalFours::kEach; ++i) {
        const bool found = distances[i] < Distance::kInfinity;
        parents[i] = found ? static_cast<std::int32_t>(__ldg(view.graph.vertex_of_slot + parents[i])) : -1;
        if (fours.local(i) == source.local) {
            distances[i] = 0;
            parents[i] = static_cast<std::int32_t>(source.vertex);
        }
        reached += found || fours.local(i) == source.local ? 1 : 0;
    }
    fours.store(distances, view.result_distances);
    fours.store(parents, view.result_parents);
    reached = __reduce_add_sync(__activemask(), reached);
    if (lane_id() == 0 && reached > 0) atomicAdd(&view.summary->reached, reached);
}

__global__ void clear_states(PushState* states, std::uint32_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) states[i] = {PushState::kNothing, PushState::kNothing, 0, 0};
}

template <typename F>
void with_distance(WeightType type, F&& f)
{
    if (type == WeightType::uint32)
        f(WholeDistance{});
    else
        f(FloatDistance{});
}

}  // namespace

void clear_push_states(const SsspView& view, const Stream& stream)
{
    launch(clear_states, view.graph.slots, stream, view.pushed, view.graph.slots);
}

unsigned sssp_blocks(WeightType type)
{
    unsigned blocks = 0;
    with_distance(type, [&](auto distance) {
        blocks = cooperative_blocks(reinterpret_cast<const void*>(search<decltype(distance)>), kThreads, 0, "the search for shortest paths");
    });
    return blocks;
}

void launch_sssp(const SsspView& view, SsspSource source, WeightType type, unsigned blocks, const Stream& stream)
{
    with_distance(type, [&](auto distance) {
        launch_cooperative(search<decltype(distance)>, blocks, kThreads, 0, stream, view, source);
        const unsigned output_blocks = LocalFours::blocks(view.graph.local_slots.count, kOutputThreads);
        if (output_blocks == 0) return;
        write_results<decltype(distance)><<<output_blocks, kOutputThreads, 0, stream.get()>>>(view, source);
        check_launch();
    });
}

}  // namespace wayfront::gpu
