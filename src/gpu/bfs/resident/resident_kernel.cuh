// The kernel of the resident search (kernel.hpp). Its code takes long to compile: resident_alone.cu
// compiles it for one GPU, resident_several.cu for several.
#pragma once

#include <cstdint>

#include "gpu/bfs/bottom_up.cuh"
#include "gpu/bfs/device_search.hpp"
#include "gpu/bfs/frontier.cuh"
#include "gpu/bfs/resident/claims.cuh"
#include "gpu/bfs/resident/many_edges.cuh"
#include "gpu/bfs/resident/resident_kernel.hpp"
#include "gpu/bfs/resident/single_block.cuh"
#include "gpu/bfs/search_plan.hpp"
#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/runtime/clock.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

using Barrier = GridBarrier<LevelCounts>;

/// The progress of a search. It is in local memory because the levels need all registers.
struct Progress
{
    SearchPlan plan;            // the same in all threads
    std::uint32_t records = 0;  // number of records; in the first thread of the grid only
};

/// A search, as one thread of the grid sees it. The kernel contains the code of each step only
/// once, because it is long, and its instructions have to be read from memory. `SingleGpu`: there
/// is one GPU.
template <bool SingleGpu>
class Search
{
public:
    __device__ Search(const ResidentView& view, std::uint32_t* shared, Progress& progress)
        : view_(view),
          graph_(view.graph),
          shared_(shared),
          barrier_(view.barrier),
          plan_(progress.plan),
          records_(progress.records)
    {
    }

    __device__ void run(const SearchKey& key)
    {
        for (Step step = Step::clear; step != Step::end;) step = next_step(step, barrier_.reduce(run_step(step, key)));
        finish();
    }

private:
    static constexpr SearchForm kForm = SearchForm::resident(SingleGpu);

    [[nodiscard]] __device__ PlanRules rules() const { return {.direction = view_.rule, .form = kForm}; }

    /// Does this thread's work of a step. Returns the thread's counts.
    __device__ LevelCounts run_step(Step step, const SearchKey& key)
    {
        switch (step) {
            case Step::clear:
                clear();
                break;
            case Step::start:
                return start(key);
            case Step::survey:
                return survey_frontier(view_, frontier_words(), plan_.published ? kNoBitmap : plan_.frontier, shared_);
            case Step::prepare:
                return prepare();
            case Step::follow:
                return follow();
            case Step::answer:
                answer_requests(view_, plan_.level);
                break;
            case Step::bottom_up:
                return bottom_up_level(view_, {.from = plan_.frontier, .to = plan_.frontier ^ 1, .level = plan_.level},
                                       plan_.variant, shared_);
            case Step::small_levels:
                return run_small_levels();
            case Step::end:
                break;
        }
        return {};
    }

    __device__ Step next_step(Step done, const Barrier::Totals& totals)
    {
        const std::int32_t level = plan_.level;
        const auto record = [this](const LevelCounts& counts, bool bottom_up) { write_record(counts, bottom_up); };
        Step next = Step::end;
        if (SingleGpu && done == Step::small_levels) {
            const volatile SearchSummary& summary = *view_.summary;
            const SmallLevelsOutcome outcome{
                .counts = totals.counts, .level = summary.single_block_level, .reached = summary.single_block_reached};
            next = plan_.left_small_levels(outcome, totals.local_total, rules(), record);
        } else {
            next = plan_.after(done, totals.counts, totals.local_total, rules(), record);
        }
        // All GPUs have read the requests of the last level. The next barrier comes before new requests are
        // written.
        if (!SingleGpu && plan_.level != level && thread() < graph_.ranks)
            view_.peers[graph_.rank].request_counts[thread()] = 0;
        return next;
    }

    __device__ LevelCounts prepare()
    {
        LevelCounts counts;
        if (plan_.publishes) counts = publish_frontier(view_, frontier_words(), plan_.frontier);
        if (plan_.makes_items) {
            const std::uint32_t first_word = plan_.tail ? view_.tail_slot / 32 : 0;
            counts = make_items(
                view_, frontier_words(), first_word,
                {.items = view_.queue[plan_.queue], .size = barrier_.next_local_total(), .sizes = plan_.item_sizes},
                shared_);
        }
        return counts;
    }

    __device__ LevelCounts follow()
    {
        const WorkItem* const queue = view_.queue[plan_.queue];
        if (plan_.many_edges) {
            std::uint32_t* const seen_columns = seen();
            const ItemRange items{.first = 0, .last = plan_.queue_items, .sizes = plan_.item_sizes};
            auto& memory = *reinterpret_cast<ManyEdgesMemory*>(shared_);
            ManyEdges<SingleGpu>(view_, seen_columns, plan_.level, memory).follow(queue, items);
            return {};
        }
        LevelCounts counts;
        for_each_item(graph_, queue, {.first = 0, .last = plan_.queue_items, .sizes = plan_.item_sizes},
                      OwnColumns{graph_}, [&](const std::uint32_t(&columns)[kItemEdges / 32], std::uint32_t vertex) {
                          ResidentClaims<SingleGpu> claims{view_, seen(), vertex, plan_.level};
                          counts.vertices += claim(view_, claims, columns);
                      });
        return counts;
    }

    [[nodiscard]] __device__ FrontierWords frontier_words() const
    {
        return {plan_.frontier_location(), view_.own.frontier[plan_.frontier]};
    }

    /// The bitmap of visited vertices for top-down levels. Several GPUs: the one of the two bitmaps
    /// of all columns that does not contain the frontier; its bits are visited vertices, and the
    /// level may mark further visited vertices in it. One GPU: the bitmap of visited slots.
    [[nodiscard]] __device__ std::uint32_t* seen() const
    {
        return SingleGpu ? view_.own.visited : view_.own.frontier[plan_.frontier ^ 1];
    }

    __device__ void clear()
    {
        for (std::uint32_t w = thread(); w < graph_.slot_stride / 32; w += threads()) {
            view_.own.visited[w] = 0;
            view_.expanded[w] = 0;
            view_.own_frontier[w] = 0;
        }
        if constexpr (!SingleGpu)  // removes the vertices of the previous search
            for (std::uint32_t w = thread(); w < graph_.cols() / 32; w += threads())
                view_.own.frontier[0][w] = view_.own.frontier[1][w] = 0;
    }

    /// Makes the keys the first frontier, with one lane per key. launch_write_results() writes the
    /// results of keys without edges.
    __device__ LevelCounts start(const SearchKey& keys)
    {
        LevelCounts counts;
        const std::uint32_t count = keys.count();
        for (std::uint32_t i = thread(); i - lane_id() < count; i += threads()) {
            const std::uint32_t slot = i < count ? keys.slot(graph_.local_slots, i) : LocalSlotsView::kNone;
            const bool has_edges = slot != LocalSlotsView::kNone;
            append_items(view_.queue[0], barrier_.next_local_total(), slot,
                         has_edges ? graph_.out.lists[slot].degree() : 0);
            if (has_edges) visit_key(view_, slot, keys.number(i), counts);
        }
        return counts;
    }

    __device__ LevelCounts run_small_levels()
    {
        clear_own_frontier();
        barrier_.sync_gpu();
        if (blockIdx.x != 0) return {};
        SingleBlock block(view_, *reinterpret_cast<SingleBlockMemory*>(shared_),
                          view_.rule.options.visited_in_shared ? view_.shared_bytes : 0);
        const SmallLevelsOutcome outcome = block.run(view_.queue[plan_.queue], plan_.queue_items, plan_.level,
                                                     view_.queue[plan_.queue ^ 1], barrier_.next_local_total());
        if (threadIdx.x != 0) return {};
        view_.summary->single_block_level = outcome.level;
        view_.summary->single_block_reached = outcome.reached;
        return outcome.counts;
    }

    /// Clears the words of the frontier. In a directed graph, the frontier may have vertices
    /// without out-edges, which have no work items, so all words are cleared.
    __device__ void clear_own_frontier()
    {
        if (graph_.is_symmetric())
            for (std::uint64_t i = thread(); i < plan_.queue_items; i += threads())
                view_.own_frontier[view_.queue[plan_.queue][i].slot / 32] = 0;
        else
            for (std::uint32_t w = thread(); w < graph_.slot_stride / 32; w += threads()) view_.own_frontier[w] = 0;
    }

    __device__ void write_record(const LevelCounts& counts, bool bottom_up)
    {
        if (thread() != 0 || records_ >= kMaxRecords) return;
        SearchSummary& summary = *view_.summary;
        summary.levels[records_] = plan_.level;
        summary.counts[records_] = counts;
        summary.bottom_up[records_] = bottom_up ? 1 : 0;
        summary.nanoseconds[records_] = now();
        ++records_;
    }

    __device__ void finish()
    {
        if (thread() == 0) {
            view_.summary->records = records_;
            view_.summary->reached = plan_.reached;
            view_.summary->end_nanoseconds = now();
        }
        mark_unreached(view_);
        barrier_.finish();
    }

    [[nodiscard]] __device__ static std::uint32_t thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
    [[nodiscard]] __device__ static std::uint32_t threads() { return gridDim.x * blockDim.x; }

    const ResidentView& view_;
    const DeviceGraphView& graph_;
    std::uint32_t* shared_;
    Barrier barrier_;
    SearchPlan& plan_;
    std::uint32_t& records_;
};

template <bool SingleGpu>
__global__ void __launch_bounds__(kSearchThreads, 1)
    resident_search(const __grid_constant__ ResidentView view, const __grid_constant__ SearchKey key)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    Progress progress;
    asm volatile("" : : "l"(&progress) : "memory");
    Search<SingleGpu>(view, shared, progress).run(key);
}

template <bool SingleGpu>
unsigned ResidentKernel<SingleGpu>::blocks(const ResidentView& view)
{
    return cooperative_blocks(reinterpret_cast<const void*>(resident_search<SingleGpu>), kSearchThreads,
                              view.shared_bytes, "the resident search");
}

template <bool SingleGpu>
void ResidentKernel<SingleGpu>::launch(const ResidentView& view, SearchKey key, unsigned blocks, const Stream& stream)
{
    launch_cooperative(resident_search<SingleGpu>, blocks, kSearchThreads, view.shared_bytes, stream, view, key);
}

}  // namespace wayfront::gpu::bfs
