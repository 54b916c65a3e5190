// The resident search for shortest paths (kernel.hpp), as the threads of its kernel see it: one
// kernel takes all steps (steps.cuh), and all blocks of all GPUs pass a barrier between two steps.
#pragma once

#include <cstdint>

#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/runtime/clock.cuh"
#include "gpu/sssp/pull_rules.hpp"
#include "gpu/sssp/settle.cuh"
#include "gpu/sssp/single_vertices.cuh"
#include "gpu/sssp/steps.cuh"

namespace wayfront::gpu::sssp {

/// A search, as one thread of the grid sees it. With peers, the blocks of all GPUs take the same
/// steps and pass the same barriers.
template <typename Distance, Reach kReach>
class SsspKernel : SsspSteps<Distance, kReach>
{
    using Steps = SsspSteps<Distance, kReach>;
    using Steps::load_volatile;
    using Steps::read_once;
    using Steps::stores_;
    using Steps::view_;
    using typename Steps::AllGpus;
    using typename Steps::PushStep;
    using typename Steps::Source;

public:
    using Barrier = GridBarrier<SsspCounts>;

    __device__ SsspKernel(const SsspView& view, SsspStores<kReach>& stores)
        : Steps(view, stores), barrier_(view.barrier)
    {
    }

    /// Searches. If there are several sources, it starts from those that have edges.
    __device__ void run(const SsspSource& sources)
    {
        if (first_index() == 0) {
            view_.summary->begin = now();
            view_.summary->first_tick = clock64();
        }
        Source source =
            this->source_at(sources.are_several() ? LocalSlotsView::kNone : sources.slot(view_.graph.local_slots, 0));
        begin(sources, source);
        push();
        const bool leftovers = progress_.nearest != kNoDistance;
        const std::uint32_t nearest = settle(sources, source, leftovers);
        if (leftovers) pull(nearest);
        finish();
    }

private:
    // A thread block starts to take steps alone at size single_block_vertices / kHysteresis, and
    // stops at size single_block_vertices.
    static constexpr std::uint32_t kHysteresis = 4;
    // One block takes the next step alone only if the last step relaxed at most kArcsPerVertex arcs
    // for each of these vertices.
    static constexpr std::uint32_t kArcsPerVertex = 8;

    /// Makes the sources the first frontier, and sets the first limit. On several GPUs, a barrier
    /// informs all GPUs of the weight of the source's lightest arc; with several sources, it
    /// informs all threads.
    __device__ void begin(const SsspSource& sources, Source& source)
    {
        const SourceCounts own_counts = place_sources(sources);
        __syncthreads();
        own_size_ = source.is_own ? 1 : 0;
        std::uint32_t size = 1;
        if (AllGpus::kSeveral || sources.are_several()) {
            const SourceCounts counts = reduce(own_counts);
            size = static_cast<std::uint32_t>(counts.sources);  // 0 if no source has edges
            source.least = size > 0 ? static_cast<std::uint32_t>(counts.least) : Distance::kInfinity;
        }
        progress_ = PushProgress::of_source(size, end_of_window(source.least));
    }

    /// Counts the sources that this thread has placed.
    [[nodiscard]] __device__ SourceCounts place_sources(const SsspSource& sources) const
    {
        SourceCounts own_counts;
        const std::uint32_t count = sources.count();
        for (auto i = static_cast<std::uint32_t>(first_index()); i < count;
             i += static_cast<std::uint32_t>(index_stride())) {
            const Source source = this->source_at(sources.slot(view_.graph.local_slots, i));
            if (!source.is_own) continue;
            this->place(source.slot, i);
            own_counts.least = source.least < own_counts.least ? source.least : own_counts.least;
            ++own_counts.sources;
        }
        return own_counts;
    }

    /// Pushes from the source in windows. On one GPU, all blocks take large steps together. One
    /// block takes small steps alone, without a barrier of the grid, while the other blocks wait.
    __device__ void push()
    {
        bool alone = false;  // whether this block has taken the last step alone
#pragma unroll 1
        for (PushStep step;;) {
            const bool more = plan(step);
            const bool small =
                !AllGpus::kSeveral && more &&
                is_small(step, alone ? view_.single_block_vertices : view_.single_block_vertices / kHysteresis);
            if (alone ? !small : small && blockIdx.x != 0) {
                share_progress();
                alone = false;
                continue;
            }
            if (!more) return;
            alone = small;
            if (alone) clear_alone_size();
            const PushCounts<kReach> own_counts = run_step(step, alone, alone ? &alone_size() : frontier_size());
            if (alone) {
                const PushCounts<kReach> counts = reduce_alone(own_counts);
                progress_.pass(counts, alone_size());
            } else if constexpr (AllGpus::kSeveral) {
                const typename Barrier::Totals totals =
                    barrier_.reduce(own_counts.counts(), &view_.own.sizes->frontier[progress_.round % 3]);
                const auto counts = PushCounts<kReach>::of(totals.counts);
                own_size_ = static_cast<std::uint32_t>(totals.local_total);
                progress_.pass(counts, static_cast<std::uint32_t>(counts.improved));
            } else {
                const typename Barrier::Totals totals = barrier_.reduce(own_counts.counts());
                progress_.pass(PushCounts<kReach>::of(totals.counts), static_cast<std::uint32_t>(totals.local_total));
            }
        }
    }

    /// Returns whether there is another step, and writes the step to `step`.
    [[nodiscard]] __device__ bool plan(PushStep& step) const
    {
        if (progress_.ends(view_.pull_from)) return false;
        step.widens = progress_.widens(view_.pull_from);
        step.waiting_count = step.widens ? load_volatile(view_.own.sizes->waiting[progress_.window % 3]) : 0;
        return true;
    }

    [[nodiscard]] __device__ bool is_small(const PushStep& step, std::uint32_t most_vertices) const
    {
        return progress_.size + step.waiting_count <= most_vertices &&
               progress_.relaxed_arcs <= std::uint64_t{most_vertices} * kArcsPerVertex;
    }

    /// The size of the next frontier while a block takes steps alone, in shared memory.
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

    /// The reduction of the counts of all threads of a block.
    [[nodiscard]] static __device__ PushCounts<kReach> reduce_alone(const PushCounts<kReach>& own_counts)
    {
        __shared__ CountWords<SsspCounts> counts;
        const CountWords<SsspCounts> of_block = reduce_block(own_counts.counts());
        if (threadIdx.x == 0) counts = of_block;
        __syncthreads();
        return PushCounts<kReach>::of(counts.counts());
    }
    /// The reduction of the counts of all threads of all GPUs. Contains a barrier.
    template <typename Counts>
    [[nodiscard]] __device__ Counts reduce(const Counts& own_counts)
    {
        return Counts::of(barrier_.reduce(own_counts.counts()).counts);
    }

    /// The first block publishes its progress to all blocks after it has taken steps alone.
    __device__ void share_progress()
    {
        __shared__ PushProgress shared;
        if (first_index() == 0) *view_.progress = progress_;
        barrier_.reduce(SsspCounts::none());
        if (threadIdx.x == 0) {
            shared.nearest = load_volatile(view_.progress->nearest);
            shared.settled_arcs = load_volatile(view_.progress->settled_arcs);
            shared.relaxed_arcs = load_volatile(view_.progress->relaxed_arcs);
            shared.size = load_volatile(view_.progress->size);
            shared.most = load_volatile(view_.progress->most);
            shared.window = load_volatile(view_.progress->window);
            shared.limit = load_volatile(view_.progress->limit);
            shared.round = load_volatile(view_.progress->round);
            shared.steps = load_volatile(view_.progress->steps);
        }
        __syncthreads();
        progress_ = shared;
    }

    /// Takes a step with this block alone or with all blocks. `frontier_size` points to 0.
    [[nodiscard]] __device__ PushCounts<kReach> run_step(const PushStep& step, bool alone, std::uint32_t* frontier_size)
    {
        if (step.widens) progress_.widen(end_of_window(static_cast<std::uint32_t>(progress_.nearest)));
        const std::uint32_t size = AllGpus::kSeveral ? own_size_ : progress_.size;
        record(step.widens ? SsspStep::window : SsspStep::rounds, size + step.waiting_count);
        return Steps::push(progress_, size, step.waiting_count, alone ? Team::block() : Team::grid(), frontier_size);
    }

    /// Writes distances and parents of the vertices that pushes reached, except leaves. If
    /// `leftovers`, pulls follow, and the source relaxes its other arcs: since the source is nearer
    /// than any other vertex, its arcs would prevent pulls from ending early. Several sources relax
    /// all their arcs, as near vertices do. Returns a lower limit of the distances of vertices
    /// whose arcs pulls need to read. The weight of the source's lightest arc is such a limit, too.
    [[nodiscard]] __device__ std::uint32_t settle(const SsspSource& sources, const Source& source, bool leftovers)
    {
        reached_ = load_volatile(view_.own.sizes->reached);
        record(SsspStep::settle, reached_);
        std::uint32_t near_end = 0;  // vertices at smaller distances relax all their arcs
        if (leftovers) {
            if (source.is_own) this->relax_leftovers(source);
            near_end = end_of_near(reduce(this->nearest_of_large()), source.least);
        }
        const NearCounts near = reduce(this->settle_reached(reached_, near_end, source));
        const bool has_few_near = near_are_few(near_end, near);
        const bool of_sources = leftovers && sources.are_several();
        std::uint32_t count = 0;
        if (has_few_near)
            count =
                AllGpus::kSeveral ? load_volatile(view_.own.sizes->near) : static_cast<std::uint32_t>(near.vertices);
        if (has_few_near || of_sources) relax_near(count, of_sources ? &sources : nullptr);
        return has_few_near ? near_end : source.least;
    }

    /// The near vertices relax their arcs; `count` of the near vertices belong to this GPU. The
    /// sources relax their arcs, too, unless `sources` is null. Vertices that these arcs improve
    /// pull instead of relaxing their own arcs.
    __device__ void relax_near(std::uint32_t count, const SsspSource* sources)
    {
        const std::uint32_t* slots = view_.own.frontiers[0];
#pragma unroll 1
        for (int lists = sources != nullptr ? 2 : 1; lists > 0; --lists) {
            static_cast<void>(this->relax_single(slots, count, Team::grid(), false, 0));
            if (lists == 1) break;
            slots = sources->slots;
            count = sources->count();
        }
        barrier_.reduce(SsspCounts::none());
        this->take_offers(1);
        barrier_.reduce(SsspCounts::none());
    }

    /// Pulls until no distance changes, or until few vertices improve; those vertices then push.
    __device__ void pull(std::uint32_t least)
    {
        record(SsspStep::pull, view_.first_leaf > reached_ ? view_.first_leaf - reached_ : 0);
        PullCounts counts = reduce(this->pull_all({0, view_.first_leaf}, {.least = least, .settled = progress_.limit}));
        PullProgress progress(progress_.limit);
        while (PullProgress::goes_on(counts)) {
            if (improved_are_to_push(progress, counts)) {
                push_improved(static_cast<std::uint32_t>(counts.improved));
                return;
            }
            progress.pass(counts);
            record(SsspStep::pull_again, static_cast<std::uint32_t>(counts.open));
            counts = reduce(Steps::pull_again(progress.settled, progress.number));
        }
    }

    /// Whether the vertices that the last pull has improved are to push.
    [[nodiscard]] __device__ bool improved_are_to_push(const PullProgress& progress, const PullCounts& counts)
    {
        if (!progress.may_push(counts, view_)) return false;
        return PullProgress::few_arcs(counts, reduce(this->arcs_of_improved()));
    }

    /// The vertices that the last pull improved, `count` of them on all GPUs, relax their arcs; in
    /// further rounds, the vertices improved by the last round do so, until no vertex improves.
    /// Lower bounds are not valid afterwards.
    __device__ void push_improved(std::uint32_t count)
    {
        const Segment<std::uint32_t> improved = improved_vertices(view_, stores_.pull);
        const std::uint32_t* slots = improved.items();
        std::uint32_t own_count = improved.count();
        Team team = Team::block();
#pragma unroll 1
        for (std::uint32_t round = kFirstRoundOfImproved;; ++round) {
            record(SsspStep::push_again, count);
            const OfferCounts own_counts{
                this->relax_single(slots, own_count, team, round > kFirstRoundOfImproved, round)};
            count = static_cast<std::uint32_t>(reduce(own_counts).takers);
            if (count == 0) return;
            slots = takers(view_.own, round + 1);
            own_count = read_once(taker_count(view_.own, round + 1));
            team = Team::grid();
        }
    }

    __device__ void finish()
    {
        this->add_arcs();
        if (first_index() == 0) {
            SsspSummary& summary = *view_.summary;
            summary.steps = progress_.steps;
            summary.last_tick = clock64();
            summary.end = now();
            view_.own.sizes->clear();
        }
        barrier_.finish();
    }

    /// The end of a window that begins at the distance `nearest`.
    [[nodiscard]] __device__ std::uint32_t end_of_window(std::uint32_t nearest) const
    {
        return window_end<Distance>(nearest, view_.width, view_.end);
    }

    /// The counter of the next frontier's size on one GPU. It is 0 before a step.
    [[nodiscard]] __device__ std::uint32_t* frontier_size() const
    {
        return reinterpret_cast<std::uint32_t*>(barrier_.next_local_total());
    }

    __device__ void record(SsspStep step, std::uint32_t vertices)
    {
        if (first_index() == 0 && progress_.steps < SsspSummary::kMostRecords)
            view_.summary->records[progress_.steps] = {clock64(), step, vertices};
        ++progress_.steps;
    }

    mutable Barrier barrier_;
    PushProgress progress_ = {};
    std::uint32_t own_size_ = 0;  // size of this GPU's frontier; on several GPUs only
    std::uint32_t reached_ = 0;   // number of own vertices that pushes reached
};

}  // namespace wayfront::gpu::sssp
