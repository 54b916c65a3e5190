#include <algorithm>
#include <string>

#include "gpu/launch.hpp"
#include "gpu/resident/barrier.cuh"
#include "gpu/resident/bottom_up.cuh"
#include "gpu/resident/kernel.cuh"
#include "gpu/resident/single_block.cuh"
#include "gpu/resident/top_down.cuh"

namespace wayfront::gpu {

namespace {

constexpr int kThreads = 1024;
constexpr int kOutputThreads = 1024;
constexpr std::uint32_t kOutputVertices = 8;                  // of a thread; divides 32
constexpr std::size_t kSharedBytes = std::size_t{200} << 10;  // of a block; the rest of the 256 KB of a multiprocessor is its cache

__device__ std::uint64_t now()
{
    std::uint64_t nanoseconds = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

/// Where a search stands, the same in all threads.
struct SearchProgress
{
    LevelCounts counts;  // of the frontier
    std::uint64_t reached = 0;
    std::int32_t level = 1;
    bool last_bottom_up = false;
    int frontier = 0;          // the bitmap of all columns that holds the frontier after a bottom-up level
    bool edges_known = false;  // whether counts.out_edges is, and the frontier stands in own_frontier
    bool published = false;    // whether a frontier that a top-down level found stands in bitmap `frontier`, too
    bool queued = false;       // whether the frontier stands as work items
    int queue = 0;
    std::uint64_t queue_items = 0;
    ItemSizes item_sizes = ItemSizes::one;
    std::uint32_t records = 0;
};

/// A search, as one thread of the grid sees it; everything but the thread's own indices is the same in all threads. `Alone`: on one GPU.
template <bool Alone>
class Search
{
public:
    __device__ Search(const ResidentView& view, std::uint32_t* shared, SearchProgress& progress)
        : view_(view), graph_(view.graph), own_(view.own()), shared_(shared), barriers_(view), at_(progress)
    {
    }

    __device__ void run(ResidentKey key)
    {
        clear();
        barriers_.sum({});
        std::uint64_t* const filled = next_queue_size();
        at_.counts = barriers_.sum(start(key, filled));
        take_queue(filled, ItemSizes::one);
        while (at_.counts.vertices != 0) {
            if (view_.rule.asks_edges(at_.last_bottom_up, at_.counts.vertices) && !at_.edges_known) {
                if (view_.rule.few(at_.counts.vertices))
                    queue_frontier();
                else
                    survey();
            }
            const bool bottom_up = view_.rule.bottom_up(at_.last_bottom_up, at_.counts);
            record(bottom_up ? 1 : 0);
            at_.reached += at_.counts.vertices;
            if (bottom_up) {
                bottom_up_once();
                continue;
            }
            if (!at_.queued) queue_frontier();
            if (Alone && at_.counts.out_edges <= kSingleBlockEdges)
                within_one_block();
            else
                top_down_once();
        }
        finish();
    }

private:
    __device__ void clear()
    {
        for (std::uint32_t w = thread(); w < graph_.slot_stride / 32; w += threads()) {
            own_.visited[w] = 0;
            view_.expanded[w] = 0;
            view_.own_frontier[w] = 0;
        }
        // What the first top-down levels remember of other GPUs' vertices.
        for (std::uint32_t w = thread(); !Alone && w < graph_.cols() / 32; w += threads()) own_.frontier[at_.frontier ^ 1][w] = 0;
    }

    /// The counter of the items that are made before the next sum over all GPUs; 0 when the barrier before was passed.
    [[nodiscard]] __device__ std::uint64_t* next_queue_size() { return &view_.queue_size[barriers_.slot()]; }

    /// The items that were counted before the last sum are the frontier's.
    __device__ void take_queue(const std::uint64_t* filled, ItemSizes sizes)
    {
        at_.item_sizes = sizes;
        at_.queue_items = *static_cast<const volatile std::uint64_t*>(filled);
        at_.queued = true;
        at_.edges_known = true;
    }

    __device__ LevelCounts start(ResidentKey key, std::uint64_t* filled)
    {
        if (key.local == ResidentKey::kElsewhere || blockIdx.x != 0 || threadIdx.x >= 32) return {};
        const std::uint32_t slot = graph_.local_slots.slot_of(key.local);
        if (slot == LocalSlotsView::kNone) return {};  // no edges: finish() knows the key
        const std::uint32_t degree = graph_.lists[slot].degree();
        append_items(view_.queue[0], filled, slot, threadIdx.x == 0 ? degree : 0);
        if (threadIdx.x != 0) return {};
        const std::uint32_t bit = 1U << (slot % 32);
        own_.visited[slot / 32] = bit;
        view_.expanded[slot / 32] = bit;
        view_.own_frontier[slot / 32] = bit;
        own_.parents[slot] = key.vertex;
        if (view_.keep_levels) own_.levels[slot] = 0;
        LevelCounts counts{1};
        counts.add_edges(degree, slot >= view_.tail_slot);
        return counts;
    }

    /// Where few of the frontier's out-edges are those of vertices behind the hubs, these are followed top-down first, and the rows look for hubs
    /// alone: the bits that they look up stand in shared memory, and lists end early.
    __device__ void bottom_up_once()
    {
        const bool split = !at_.last_bottom_up && at_.edges_known && view_.splits(at_.counts);
        if (!at_.last_bottom_up && !at_.published) {
            publish_frontier(view_, frontier_words(), at_.frontier);
            if (!split) barriers_.sum({});
        }
        if (split) {
            std::uint64_t* const filled = next_queue_size();
            make_items(view_, {FrontierAt::own_frontier, nullptr}, view_.tail_slot / 32, view_.queue[at_.queue], filled, ItemSizes::one, shared_);
            barriers_.sum({});
            take_queue(filled, ItemSizes::one);
            follow_queue(at_.counts.tail_edges);
        }
        const BottomUpWay way = view_.rule.bottom_up_way(split, at_.reached);
        at_.counts = barriers_.sum(bottom_up_level(view_, at_.frontier, at_.frontier ^ 1, at_.level, way, shared_));
        at_.frontier ^= 1;
        level_done(true);
    }

    __device__ void top_down_once()
    {
        at_.counts = follow_queue(at_.counts.out_edges);
        level_done(false);
    }

    /// Follows the work items, of so many edges on all GPUs; returns how many vertices were found.
    __device__ LevelCounts follow_queue(std::uint64_t edges)
    {
        const TopDownWay way(view_, edges);
        LevelCounts found = top_down_level<Alone>(view_, seen(), view_.queue[at_.queue], at_.queue_items, at_.item_sizes, at_.level, way, shared_);
        if (!Alone && way.asks) {
            barriers_.sum({});
            const LevelCounts answered = answer_asks(view_, at_.level);
            found.vertices += answered.vertices;
        }
        return barriers_.sum(found);
    }

    /// Of the two bitmaps of all columns, the one that holds no frontier has nothing but visited vertices in it, and is overwritten by the next
    /// bottom-up level.
    [[nodiscard]] __device__ std::uint32_t* seen() const { return Alone ? own_.visited : own_.frontier[at_.frontier ^ 1]; }

    __device__ void level_done(bool bottom_up)
    {
        at_.last_bottom_up = bottom_up;
        at_.queued = false;
        at_.edges_known = false;
        at_.published = false;
        ++at_.level;
        if (thread() < graph_.ranks) own_.ask_counts[thread()] = 0;  // all have read them, and a barrier is passed before there are new ones
    }

    /// After a top-down level: moves the frontier to own_frontier and counts its out-edges. One GPU makes it the bitmap of all columns, too, which
    /// costs nothing here and a pass and a barrier later.
    __device__ void survey()
    {
        constexpr bool publish = Alone;
        at_.counts = barriers_.sum(survey_frontier(view_, frontier_words(), publish ? own_.frontier[at_.frontier] : nullptr));
        at_.edges_known = true;
        at_.published = publish;
    }

    [[nodiscard]] __device__ FrontierWords frontier_words() const
    {
        const FrontierAt at = at_.last_bottom_up ? FrontierAt::columns : at_.edges_known ? FrontierAt::own_frontier : FrontierAt::newly_visited;
        return {at, own_.frontier[at_.frontier]};
    }

    /// Makes the frontier into work items, and knows its out-edges then. Collective over the GPUs.
    __device__ void queue_frontier()
    {
        std::uint64_t* const filled = next_queue_size();
        const ItemSizes sizes = DirectionRule::item_sizes(at_.edges_known ? at_.counts.out_edges / graph_.ranks : 0);
        at_.counts = barriers_.sum(make_items(view_, frontier_words(), 0, view_.queue[at_.queue], filled, sizes, shared_));
        take_queue(filled, sizes);
    }

    /// Levels on block 0 alone, until the frontier has grown or has gone.
    __device__ void within_one_block()
    {
        for (std::uint64_t i = thread(); i < at_.queue_items; i += threads()) view_.own_frontier[view_.queue[at_.queue][i].slot / 32] = 0;
        barriers_.local();
        std::uint64_t* const filled = next_queue_size();
        LevelCounts part;
        if (blockIdx.x == 0) {
            SingleBlock block(view_, *reinterpret_cast<SingleBlockMemory*>(shared_), view_.shared_bytes);
            const SingleBlockOutcome outcome = block.run(view_.queue[at_.queue], at_.queue_items, at_.level, view_.queue[at_.queue ^ 1], filled);
            if (threadIdx.x == 0) {
                part = outcome.counts;
                view_.summary->single_block_level = outcome.level;
                view_.summary->single_block_reached = outcome.reached;
            }
        }
        at_.counts = barriers_.sum(part);
        at_.level = *static_cast<volatile std::int32_t*>(&view_.summary->single_block_level);
        at_.reached += *static_cast<volatile std::uint64_t*>(&view_.summary->single_block_reached);
        at_.last_bottom_up = false;
        at_.published = false;
        at_.queue ^= 1;
        at_.queued = false;
        at_.edges_known = true;
        if (SingleBlock::queues(at_.counts)) take_queue(filled, ItemSizes::one);
    }

    __device__ void record(std::uint32_t way)
    {
        if (thread() != 0 || at_.records >= kMaxRecords) return;
        SearchSummary& summary = *view_.summary;
        summary.counts[at_.records] = at_.counts;
        summary.bottom_up[at_.records] = way;
        summary.nanoseconds[at_.records] = now();
        ++at_.records;
    }

    __device__ void finish()
    {
        if (thread() == 0) {
            view_.summary->records = at_.records;
            view_.summary->levels = static_cast<std::uint32_t>(at_.level);
            view_.summary->reached = at_.reached;
            view_.summary->end_nanoseconds = now();
        }
        mark_unreached(view_);
        barriers_.finish();
        if (thread() == 0) view_.summary->done_nanoseconds = now();
    }

    [[nodiscard]] __device__ static std::uint32_t thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
    [[nodiscard]] __device__ static std::uint32_t threads() { return gridDim.x * blockDim.x; }

    const ResidentView& view_;
    const DeviceGraphView& graph_;
    const PeerState& own_;
    std::uint32_t* shared_;
    Barriers barriers_;
    SearchProgress& at_;
};

/// From slots into the order of local numbers, kOutputVertices of them a thread: a result waits four times for memory. Slots of one degree class
/// ascend with local numbers, so that a block which takes consecutive numbers reads each class's stretch of `by_slot` from its cache. A kernel of its
/// own: it wants the cache that the search uses as shared memory.
__global__ void __launch_bounds__(kOutputThreads, 2) write_result(LocalSlotsView local_slots, const std::uint32_t* __restrict__ by_slot,
                                                                  std::int32_t* result, std::uint32_t key_local, std::int32_t key_value)
{
    const std::uint64_t first = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * kOutputVertices;
    if (first >= local_slots.count) return;
    const std::uint32_t word = local_slots.connected[first / 32];
    const std::uint32_t* slots = local_slots.slots + local_slots.connected_before[first / 32] + __popc(word & ((1U << (first % 32)) - 1));
    std::uint32_t at[kOutputVertices];
    std::int32_t values[kOutputVertices];
#pragma unroll
    for (std::uint32_t j = 0; j < kOutputVertices; ++j) {
        const bool connected = ((word >> (first % 32 + j)) & 1U) != 0;
        at[j] = connected ? __ldcs(slots) : LocalSlotsView::kNone;
        slots += connected ? 1 : 0;
    }
#pragma unroll
    for (std::uint32_t j = 0; j < kOutputVertices; ++j) {
        values[j] = at[j] != LocalSlotsView::kNone ? static_cast<std::int32_t>(by_slot[at[j]]) : -1;
        if (first + j == key_local) values[j] = key_value;  // a key without edges has no slot
    }
    if (first + kOutputVertices <= local_slots.count) {
#pragma unroll
        for (std::uint32_t j = 0; j < kOutputVertices; j += 4)
            __stcs(reinterpret_cast<int4*>(result + first + j), int4{values[j], values[j + 1], values[j + 2], values[j + 3]});
    } else {
#pragma unroll
        for (std::uint32_t j = 0; j < kOutputVertices; ++j)
            if (first + j < local_slots.count) result[first + j] = values[j];
    }
}

template <bool Alone>
__global__ void __launch_bounds__(kThreads, 1) resident_search(const __grid_constant__ ResidentView view, ResidentKey key)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    SearchProgress progress;
    asm volatile("" : : "l"(&progress) : "memory");  // keeps it out of the registers, all of which the levels want
    Search<Alone>(view, shared, progress).run(key);
}

const void* kernel_for(const ResidentView& view)
{
    return view.graph.ranks == 1 ? reinterpret_cast<const void*>(resident_search<true>) : reinterpret_cast<const void*>(resident_search<false>);
}

}  // namespace

void set_shared_memory(ResidentView& view, std::uint32_t most_hubs)
{
    constexpr std::uint32_t most_words = (kSharedBytes - sizeof(BottomUpMemory)) / sizeof(std::uint32_t) - 1;
    const std::uint32_t tiles = view.graph.ranks * kTileWords;  // one of each rank
    view.hub_words = std::min(view.graph.cols() / 32, std::min(most_words, most_hubs / 32) / tiles * tiles);
    view.tail_slot = view.hub_words / view.graph.ranks * 32;
    const std::size_t visited_bytes = view.graph.slot_stride / 32 * sizeof(std::uint32_t);
    const std::size_t single_block = sizeof(SingleBlockMemory) + (sizeof(SingleBlockMemory) + visited_bytes <= kSharedBytes ? visited_bytes : 0);
    view.shared_bytes = std::max(
        {std::max(sizeof(BottomUpMemory), sizeof(TopDownMemory)) + (view.hub_words + 1) * sizeof(std::uint32_t), single_block, sizeof(ScanMemory)});
}

int resident_blocks(const ResidentView& view)
{
    int device = 0;
    int multiprocessors = 0;
    int cooperative = 0;
    int blocks = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
    check(cudaFuncSetAttribute(kernel_for(view), cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(view.shared_bytes)));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_for(view), kThreads, view.shared_bytes));
    if (cooperative == 0 || blocks == 0)
        throw ResourceError("this GPU cannot run the resident search (" + std::to_string(view.shared_bytes) + " bytes of shared memory a block)");
    return multiprocessors;
}

void launch_resident(const ResidentView& view, ResidentKey key, int blocks, const Stream& stream)
{
    ResidentView view_argument = view;
    void* arguments[] = {&view_argument, &key};
    check(cudaLaunchCooperativeKernel(kernel_for(view), dim3(static_cast<unsigned>(blocks)), dim3(kThreads), arguments, view.shared_bytes,
                                      stream.get()));
    launch_write_results(view, key, stream);
}

void launch_write_results(const ResidentView& view, ResidentKey key, const Stream& stream)
{
    const PeerState& own = view.own();
    constexpr std::uint32_t of_block = kOutputThreads * kOutputVertices;
    const unsigned chunks = (view.graph.local_count + of_block - 1) / of_block;
    if (chunks == 0) return;
    write_result<<<chunks, kOutputThreads, 0, stream.get()>>>(view.graph.local_slots, own.parents, view.result, key.local,
                                                              static_cast<std::int32_t>(key.vertex));
    check_launch();
    if (!view.keep_levels) return;
    write_result<<<chunks, kOutputThreads, 0, stream.get()>>>(view.graph.local_slots, reinterpret_cast<const std::uint32_t*>(own.levels),
                                                              view.result_levels, key.local, 0);
    check_launch();
}

}  // namespace wayfront::gpu
