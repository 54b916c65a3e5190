#include <algorithm>
#include <string>

#include "gpu/bfs/bottom_up.cuh"
#include "gpu/bfs/device_search.hpp"
#include "gpu/bfs/resident/barrier.cuh"
#include "gpu/bfs/resident/kernel.hpp"
#include "gpu/bfs/resident/many_edges.cuh"
#include "gpu/bfs/resident/single_block.cuh"
#include "gpu/bfs/results.hpp"
#include "gpu/bfs/top_down.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

__device__ std::uint64_t now()
{
    std::uint64_t nanoseconds = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

/// What all threads of all GPUs do between two barriers. Each stands once in the kernel, which is long: instructions have to come from memory, too.
enum class Step {
    clear,
    start,
    survey,   // the frontier's out-edges are counted; it becomes the bitmap of all columns on the way, which would be a pass and a barrier later
    prepare,  // the frontier becomes the bitmap of all columns, or work items, or both
    follow,   // a top-down level, or the tail's before a bottom-up one
    answer,   // to what other GPUs asked for
    bottom_up,
    single_block,  // levels on block 0 alone, until the frontier has grown or has gone
    end,
};

/// Progress of a search. Every thread holds the same values, except `records`, which only thread 0 keeps.
struct SearchProgress
{
    LevelCounts counts;  // of the frontier
    std::uint64_t reached = 0;
    std::int32_t level = 1;
    bool last_bottom_up = false;
    int frontier = 0;          // the bitmap of all columns that holds the frontier after a bottom-up level
    bool taken = false;        // whether the frontier stands in own_frontier, and counts as expanded
    bool edges_known = false;  // whether counts.out_edges and tail_edges are
    bool published = false;    // whether a frontier that a top-down level found stands in bitmap `frontier`, too
    bool queued = false;       // whether the frontier, or its tail, stands as work items
    int queue = 0;
    std::uint64_t queue_items = 0;
    std::uint64_t new_items = 0;  // that were made before the last barrier
    ItemSizes item_sizes = ItemSizes::one;
    std::uint32_t records = 0;

    // Of the level that is made ready or under way.
    bool chosen = false;     // whether it is known which way it goes
    bool bottom_up = false;  // the way
    BottomUpWay rows = BottomUpWay::all;
    bool tail = false;         // whether the tail is yet to be followed top-down
    bool many_edges = false;   // whether they are followed as many_edges.cuh says
    bool publishes = false;    // of Step::prepare
    bool makes_items = false;  // likewise
};

/// A search, as one thread of the grid sees it. `Alone`: on one GPU.
template <bool Alone>
class Search
{
public:
    __device__ Search(const SearchView& view, std::uint32_t* shared, SearchProgress& progress)
        : view_(view), graph_(view.graph), own_(view.own()), shared_(shared), barriers_(view), at_(progress)
    {
    }

    __device__ void run(SearchKey key)
    {
        for (Step step = Step::clear; step != Step::end;) step = next_step(step, barriers_.sum(work(step, key)));
        finish();
    }

private:
    /// What this thread does in a step, and what it counts.
    __device__ LevelCounts work(Step step, SearchKey key)
    {
        switch (step) {
            case Step::clear:
                clear();
                break;
            case Step::start:
                return start(key);
            case Step::survey:
                return survey_frontier(view_, frontier_words(), at_.published ? kNowhere : at_.frontier, shared_);
            case Step::prepare:
                return prepare();
            case Step::follow:
                return follow();
            case Step::answer:
                answer_asks(view_, at_.level);
                break;
            case Step::bottom_up:
                return bottom_up_level(view_, at_.frontier, at_.frontier ^ 1, at_.level, at_.rows, shared_);
            case Step::single_block:
                return within_one_block();
            case Step::end:
                break;
        }
        return {};
    }

    /// What the step has led to, `sums` being of all threads; the next step.
    __device__ Step next_step(Step step, const Barriers::Sums& sums)
    {
        const LevelCounts& total = sums.counts;
        at_.new_items = sums.queue_items;
        switch (step) {
            case Step::clear:
                return Step::start;
            case Step::start:
                take_queue(ItemSizes::one);
                return with_frontier(total);
            case Step::survey:
                at_.published = true;
                at_.taken = true;
                at_.edges_known = true;
                return with_frontier(total);
            case Step::prepare:
                return prepared(total);
            case Step::follow:
                return !Alone && at_.many_edges ? Step::answer : followed(total);
            case Step::answer:
                return followed(total);
            case Step::bottom_up:
                at_.frontier ^= 1;
                level_done();
                return with_frontier(total);
            case Step::single_block:
                return left_one_block(total);
            case Step::end:
                break;
        }
        return Step::end;
    }

    /// A new frontier, or one that has been counted since: its out-edges are counted where its direction depends on them.
    __device__ Step with_frontier(const LevelCounts& counts)
    {
        at_.counts = counts;
        if (counts.vertices == 0) return Step::end;
        if (at_.edges_known || !view_.rule.asks_edges(at_.last_bottom_up, counts.vertices)) return choose();
        if (!DirectionRule::few(counts.vertices)) return Step::survey;
        at_.publishes = false;
        at_.makes_items = true;
        at_.item_sizes = ItemSizes::one;
        return Step::prepare;
    }

    /// The direction. Where few of a frontier's out-edges are those of vertices behind the hubs, these are followed top-down before a bottom-up
    /// level, and the rows look for hubs alone: the bits that they look up stand in shared memory, and lists end early.
    __device__ Step choose()
    {
        const bool first_bottom_up = !at_.last_bottom_up;
        at_.chosen = true;
        at_.bottom_up = view_.rule.bottom_up(at_.last_bottom_up, at_.counts);
        record();
        at_.reached += at_.counts.vertices;
        at_.tail = at_.bottom_up && first_bottom_up && at_.edges_known && view_.splits(at_.counts);
        at_.rows = view_.rule.bottom_up_way(at_.tail, at_.reached);
        at_.publishes = at_.bottom_up && first_bottom_up && !at_.published;
        at_.makes_items = at_.tail || (!at_.bottom_up && !at_.queued);
        if (at_.makes_items) at_.item_sizes = view_.rule.item_sizes(!at_.tail && at_.edges_known ? at_.counts.out_edges / graph_.ranks : 0);
        return at_.publishes || at_.makes_items ? Step::prepare : next_of_level();
    }

    __device__ LevelCounts prepare()
    {
        LevelCounts counts;
        if (at_.publishes) counts = publish_frontier(view_, frontier_words(), at_.frontier);
        if (at_.makes_items) {
            const std::uint32_t first_word = at_.tail ? view_.tail_slot / 32 : 0;
            counts = make_items(view_, frontier_words(), first_word, view_.queue[at_.queue], next_queue_size(), at_.item_sizes, shared_);
        }
        return counts;
    }

    __device__ Step prepared(const LevelCounts& total)
    {
        at_.published = at_.published || at_.publishes;
        at_.taken = true;
        if (!at_.makes_items) return at_.chosen ? next_of_level() : with_frontier(total);  // or it was published to be counted
        take_queue(at_.item_sizes);
        if (!at_.tail) at_.counts = total;
        return at_.chosen ? next_of_level() : choose();
    }

    /// When all is prepared.
    __device__ Step next_of_level()
    {
        if (at_.bottom_up && !at_.tail) return Step::bottom_up;
        if (Alone && !at_.bottom_up && at_.counts.out_edges <= kSingleBlockEdges) return Step::single_block;
        const std::uint64_t edges = at_.tail ? at_.counts.tail_edges : at_.counts.out_edges;
        at_.many_edges = edges >= graph_.ranks * view_.rule.options.many_edges;
        return Step::follow;
    }

    __device__ LevelCounts follow()
    {
        const WorkItem* const queue = view_.queue[at_.queue];
        if (!at_.many_edges) return top_down_level<Alone>(view_, seen(), queue, at_.queue_items, at_.item_sizes, at_.level);
        follow_many_edges<Alone>(view_, seen(), queue, at_.queue_items, at_.item_sizes, at_.level, shared_);
        return {};
    }

    __device__ Step followed(const LevelCounts& total)
    {
        if (at_.tail) {
            at_.tail = false;
            return next_of_level();
        }
        level_done();
        if (!at_.many_edges) return with_frontier(total);
        // A level finds at most as many vertices as it follows edges. A survey counts them, too.
        if (view_.rule.asks_edges(false, at_.counts.out_edges)) return Step::survey;
        at_.publishes = true;
        at_.makes_items = false;
        return Step::prepare;
    }

    __device__ void level_done()
    {
        at_.last_bottom_up = at_.bottom_up;
        at_.queued = false;
        at_.taken = false;
        at_.edges_known = false;
        at_.published = false;
        at_.chosen = false;
        ++at_.level;
        if (thread() < graph_.ranks) own_.ask_counts[thread()] = 0;  // all have read them, and a barrier is passed before there are new ones
    }

    [[nodiscard]] __device__ FrontierWords frontier_words() const
    {
        const FrontierAt at = at_.last_bottom_up ? FrontierAt::columns : at_.taken ? FrontierAt::own_frontier : FrontierAt::newly_visited;
        return {at, own_.frontier[at_.frontier]};
    }

    /// Of the two bitmaps of all columns, the one that holds no frontier has nothing but visited vertices in it; others that are visited may be
    /// marked there. One GPU has the bitmap of visited slots itself.
    [[nodiscard]] __device__ std::uint32_t* seen() const { return Alone ? own_.visited : own_.frontier[at_.frontier ^ 1]; }

    /// The counter of the items that are made before the next barrier; 0 when the barrier before was passed.
    [[nodiscard]] __device__ std::uint64_t* next_queue_size() const { return &view_.queue_size[barriers_.slot()]; }

    /// The items that were counted before the last barrier are the frontier's.
    __device__ void take_queue(ItemSizes sizes)
    {
        at_.item_sizes = sizes;
        at_.queue_items = at_.new_items;
        at_.queued = true;
        at_.taken = true;
        at_.edges_known = true;
    }

    __device__ void clear()
    {
        for (std::uint32_t w = thread(); w < graph_.slot_stride / 32; w += threads()) {
            own_.visited[w] = 0;
            view_.expanded[w] = 0;
            view_.own_frontier[w] = 0;
        }
        if constexpr (!Alone)  // no vertex of the search before may stand there
            for (std::uint32_t w = thread(); w < graph_.cols() / 32; w += threads()) own_.frontier[0][w] = own_.frontier[1][w] = 0;
    }

    __device__ LevelCounts start(SearchKey key)
    {
        if (key.local == SearchKey::kElsewhere || blockIdx.x != 0 || threadIdx.x >= 32) return {};
        const std::uint32_t slot = graph_.local_slots.slot_of(key.local);
        if (slot == LocalSlotsView::kNone) return {};  // no edges: finish() knows the key
        append_items(view_.queue[0], next_queue_size(), slot, threadIdx.x == 0 ? graph_.lists[slot].degree() : 0);
        return threadIdx.x == 0 ? visit_key(view_, slot, key.vertex) : LevelCounts{};
    }

    __device__ LevelCounts within_one_block()
    {
        for (std::uint64_t i = thread(); i < at_.queue_items; i += threads()) view_.own_frontier[view_.queue[at_.queue][i].slot / 32] = 0;
        barriers_.local();
        if (blockIdx.x != 0) return {};
        SingleBlock block(view_, *reinterpret_cast<SingleBlockMemory*>(shared_), view_.rule.options.visited_in_shared ? view_.shared_bytes : 0);
        const SingleBlockOutcome outcome =
            block.run(view_.queue[at_.queue], at_.queue_items, at_.level, view_.queue[at_.queue ^ 1], next_queue_size());
        if (threadIdx.x != 0) return {};
        view_.summary->single_block_level = outcome.level;
        view_.summary->single_block_reached = outcome.reached;
        return outcome.counts;
    }

    __device__ Step left_one_block(const LevelCounts& total)
    {
        level_done();
        at_.level = *static_cast<volatile std::int32_t*>(&view_.summary->single_block_level);
        at_.reached += *static_cast<volatile std::uint64_t*>(&view_.summary->single_block_reached);
        at_.queue ^= 1;
        at_.taken = true;
        at_.edges_known = true;
        if (SingleBlock::queues(total)) take_queue(ItemSizes::one);
        return with_frontier(total);
    }

    __device__ void record()
    {
        if (thread() != 0 || at_.records >= kMaxRecords) return;
        SearchSummary& summary = *view_.summary;
        summary.counts[at_.records] = at_.counts;
        summary.bottom_up[at_.records] = at_.bottom_up ? 1 : 0;
        summary.nanoseconds[at_.records] = now();
        ++at_.records;
    }

    __device__ void finish()
    {
        if (thread() == 0) {
            view_.summary->records = at_.records;
            view_.summary->reached = at_.reached;
            view_.summary->end_nanoseconds = now();
        }
        mark_unreached(view_);
        barriers_.finish();
    }

    [[nodiscard]] __device__ static std::uint32_t thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
    [[nodiscard]] __device__ static std::uint32_t threads() { return gridDim.x * blockDim.x; }

    const SearchView& view_;
    const DeviceGraphView& graph_;
    const PeerState& own_;
    std::uint32_t* shared_;
    Barriers barriers_;
    SearchProgress& at_;
};

template <bool Alone>
__global__ void __launch_bounds__(kSearchThreads, 1) resident_search(const __grid_constant__ SearchView view, SearchKey key)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    SearchProgress progress;
    asm volatile("" : : "l"(&progress) : "memory");  // keeps it out of the registers, all of which the levels want
    Search<Alone>(view, shared, progress).run(key);
}

const void* kernel_for(const SearchView& view)
{
    return view.graph.ranks == 1 ? reinterpret_cast<const void*>(resident_search<true>) : reinterpret_cast<const void*>(resident_search<false>);
}

}  // namespace

int resident_blocks(SearchView& view)
{
    const std::size_t visited_bytes = view.graph.slot_stride / 32 * sizeof(std::uint32_t);
    const std::size_t single_block = sizeof(SingleBlockMemory) + (sizeof(SingleBlockMemory) + visited_bytes <= kSharedBytes ? visited_bytes : 0);
    view.shared_bytes = std::max({view.shared_bytes, sizeof(ManyEdgesMemory) + (view.hub_words + 1) * sizeof(std::uint32_t), single_block});
    int device = 0;
    int multiprocessors = 0;
    int cooperative = 0;
    int blocks = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
    check(cudaFuncSetAttribute(kernel_for(view), cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(view.shared_bytes)));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_for(view), kSearchThreads, view.shared_bytes));
    if (cooperative == 0 || blocks == 0)
        throw ResourceError("this GPU cannot run the resident search (" + std::to_string(view.shared_bytes) + " bytes of shared memory a block)");
    return multiprocessors;
}

void launch_resident(const SearchView& view, SearchKey key, int blocks, const Stream& stream)
{
    SearchView view_argument = view;
    void* arguments[] = {&view_argument, &key};
    check(cudaLaunchCooperativeKernel(kernel_for(view), dim3(static_cast<unsigned>(blocks)), dim3(kSearchThreads), arguments, view.shared_bytes,
                                      stream.get()));
    launch_write_results(view, key, stream);
}

}  // namespace wayfront::gpu
