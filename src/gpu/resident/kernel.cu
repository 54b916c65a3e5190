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
constexpr std::size_t kSharedBytes = std::size_t{200} << 10;  // of a block; the rest of the 256 KB of a multiprocessor is its cache

__device__ std::uint64_t now()
{
    std::uint64_t nanoseconds = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

/// A search, as one thread of the grid sees it; everything but the thread's own indices is the same in all threads.
class Search
{
public:
    __device__ Search(const ResidentView& view, std::uint32_t* shared)
        : view_(view), graph_(view.graph), own_(view.own()), shared_(shared), barriers_(view)
    {
    }

    __device__ void run(ResidentKey key)
    {
        clear();
        barriers_.sum({});
        std::uint64_t* const filled = next_queue_size();
        counts_ = barriers_.sum(start(key, filled));
        take_queue(filled);
        while (counts_.vertices != 0) {
            if (view_.rule.asks_edges(last_bottom_up_, counts_.vertices) && !edges_known_) survey();
            const bool bottom_up = view_.rule.bottom_up(last_bottom_up_, counts_);
            record(bottom_up ? 1 : 0);
            reached_ += counts_.vertices;
            if (bottom_up) {
                bottom_up_once();
                continue;
            }
            if (!queued_) queue_frontier();
            if (graph_.ranks == 1 && counts_.out_edges <= kSingleBlockEdges)
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
        if (graph_.ranks == 1) return;
        // What the first top-down levels remember of other GPUs' vertices.
        for (std::uint32_t w = thread(); w < graph_.cols() / 32; w += threads()) own_.frontier[frontier_ ^ 1][w] = 0;
    }

    /// The counter of the items that are made before the next sum over all GPUs; 0 when the barrier before was passed.
    [[nodiscard]] __device__ std::uint64_t* next_queue_size() { return &view_.queue_size[barriers_.slot()]; }

    /// The items that were counted before the last sum are the frontier's.
    __device__ void take_queue(const std::uint64_t* filled)
    {
        queue_items_ = *static_cast<const volatile std::uint64_t*>(filled);
        queued_ = true;
        edges_known_ = true;
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
        return {1, degree};
    }

    __device__ void bottom_up_once()
    {
        if (!last_bottom_up_ && !published_) {
            if (edges_known_)
                publish_frontier(
                    view_, [this](std::uint32_t w) { return view_.own_frontier[w]; }, frontier_);
            else
                publish_frontier(
                    view_, [this](std::uint32_t w) { return newly_visited(view_, w); }, frontier_);
            barriers_.sum({});
        }
        counts_ = barriers_.sum(bottom_up_level(view_, frontier_, frontier_ ^ 1, level_, shared_));
        frontier_ ^= 1;
        level_done(true);
    }

    __device__ void top_down_once()
    {
        // Of the two bitmaps of all columns, the one that holds no frontier has nothing but visited vertices in it, and is overwritten by the next
        // bottom-up level.
        std::uint32_t* const seen = graph_.ranks == 1 ? own_.visited : own_.frontier[frontier_ ^ 1];
        counts_ = barriers_.sum(top_down_level(view_, seen, view_.queue[queue_], queue_items_, level_));
        level_done(false);
    }

    __device__ void level_done(bool bottom_up)
    {
        last_bottom_up_ = bottom_up;
        queued_ = false;
        edges_known_ = false;
        published_ = false;
        ++level_;
    }

    /// After a top-down level: moves the frontier to own_frontier and counts its out-edges. One GPU makes it the bitmap of all columns, too, which
    /// costs nothing here and a pass and a barrier later.
    __device__ void survey()
    {
        const bool publish = graph_.ranks == 1;
        const LevelCounts own = survey_frontier(view_, [&](std::uint32_t w) {
            const std::uint32_t word = newly_visited(view_, w);
            view_.own_frontier[w] = word;
            if (publish) own_.frontier[frontier_][w] = word;
            return word;
        });
        counts_ = barriers_.sum(own);
        edges_known_ = true;
        published_ = publish;
    }

    /// Makes the frontier into work items, and knows its out-edges then. Collective over the GPUs.
    __device__ void queue_frontier()
    {
        std::uint64_t* const filled = next_queue_size();
        const std::uint32_t* const columns = own_.frontier[frontier_];
        const FrontierAt at = last_bottom_up_ ? FrontierAt::columns : edges_known_ ? FrontierAt::own_frontier : FrontierAt::newly_visited;
        const LevelCounts own = make_items(
            view_, [&](std::uint32_t w) { return take_frontier_word(view_, at, columns, w); }, view_.queue[queue_], filled, shared_);
        counts_ = barriers_.sum(own);
        take_queue(filled);
    }

    /// Levels on block 0 alone, until the frontier has grown or has gone.
    __device__ void within_one_block()
    {
        for (std::uint64_t i = thread(); i < queue_items_; i += threads()) view_.own_frontier[view_.queue[queue_][i].slot / 32] = 0;
        barriers_.local();
        std::uint64_t* const filled = next_queue_size();
        LevelCounts part;
        if (blockIdx.x == 0) {
            SingleBlock block(view_, *reinterpret_cast<SingleBlockMemory*>(shared_));
            const SingleBlockOutcome outcome = block.run(view_.queue[queue_], queue_items_, level_, view_.queue[queue_ ^ 1], filled);
            if (threadIdx.x == 0) {
                part = outcome.counts;
                view_.summary->single_block_level = outcome.level;
                view_.summary->single_block_reached = outcome.reached;
            }
        }
        counts_ = barriers_.sum(part);
        level_ = *static_cast<volatile std::int32_t*>(&view_.summary->single_block_level);
        reached_ += *static_cast<volatile std::uint64_t*>(&view_.summary->single_block_reached);
        last_bottom_up_ = false;
        published_ = false;
        queue_ ^= 1;
        queued_ = false;
        edges_known_ = true;
        if (SingleBlock::queues(counts_)) take_queue(filled);
    }

    __device__ void record(std::uint32_t way)
    {
        if (thread() != 0 || records_ >= kMaxRecords) return;
        SearchSummary& summary = *view_.summary;
        summary.counts[records_] = counts_;
        summary.bottom_up[records_] = way;
        summary.nanoseconds[records_] = now();
        ++records_;
    }

    __device__ void finish()
    {
        if (thread() == 0) {
            view_.summary->records = records_;
            view_.summary->levels = static_cast<std::uint32_t>(level_);
            view_.summary->reached = reached_;
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

    LevelCounts counts_;  // of the frontier
    std::uint64_t reached_ = 0;
    std::int32_t level_ = 1;
    bool last_bottom_up_ = false;
    int frontier_ = 0;          // the bitmap of all columns that holds the frontier after a bottom-up level
    bool edges_known_ = false;  // whether counts_.out_edges is, and the frontier stands in own_frontier
    bool published_ = false;    // whether a frontier that a top-down level found stands in frontier_, too
    bool queued_ = false;       // whether the frontier stands as work items
    int queue_ = 0;
    std::uint64_t queue_items_ = 0;
    std::uint32_t records_ = 0;
};

/// From slots into the order of local numbers, four of them a thread. Slots of one degree class ascend with local numbers, so that a block which
/// takes consecutive numbers reads each class's stretch of `by_slot` from its cache. A kernel of its own: it wants the cache that the search uses as
/// shared memory.
__global__ void __launch_bounds__(kOutputThreads, 2) write_result(LocalSlotsView local_slots, const std::uint32_t* __restrict__ by_slot,
                                                                  std::int32_t* result, std::uint32_t key_local, std::int32_t key_value)
{
    const std::uint64_t first = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * 4;
    if (first >= local_slots.count) return;
    const std::uint32_t word = local_slots.connected[first / 32];
    const std::uint32_t* slots = local_slots.slots + local_slots.connected_before[first / 32] + __popc(word & ((1U << (first % 32)) - 1));
    std::int32_t values[4];
#pragma unroll
    for (std::uint32_t j = 0; j < 4; ++j) {
        const bool connected = ((word >> (first % 32 + j)) & 1U) != 0;
        values[j] = connected ? static_cast<std::int32_t>(by_slot[__ldcs(slots)]) : -1;
        slots += connected ? 1 : 0;
    }
    if (key_local >= first && key_local - first < 4) values[key_local - first] = key_value;  // a key without edges has no slot
    if (first + 4 <= local_slots.count)
        __stcs(reinterpret_cast<int4*>(result + first), int4{values[0], values[1], values[2], values[3]});
    else
        for (std::uint32_t j = 0; first + j < local_slots.count; ++j) result[first + j] = values[j];
}

__global__ void __launch_bounds__(kThreads, 1) resident_search(const __grid_constant__ ResidentView view, ResidentKey key)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    Search(view, shared).run(key);
}

}  // namespace

std::size_t resident_shared_bytes(std::uint32_t frontier_words, std::uint32_t& hub_words)
{
    hub_words = std::min<std::uint32_t>(frontier_words, (kSharedBytes - sizeof(BottomUpMemory)) / sizeof(std::uint32_t)) / 4 * 4;
    return std::max({sizeof(BottomUpMemory) + hub_words * sizeof(std::uint32_t), sizeof(SingleBlockMemory), sizeof(ScanMemory)});
}

int resident_blocks(std::size_t shared_bytes)
{
    int device = 0;
    int multiprocessors = 0;
    int cooperative = 0;
    int blocks = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
    check(cudaFuncSetAttribute(resident_search, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, resident_search, kThreads, shared_bytes));
    if (cooperative == 0 || blocks == 0)
        throw ResourceError("this GPU cannot run the resident search (" + std::to_string(shared_bytes) + " bytes of shared memory a block)");
    return multiprocessors;
}

void launch_resident(const ResidentView& view, ResidentKey key, int blocks, std::size_t shared_bytes, const Stream& stream)
{
    ResidentView view_argument = view;
    void* arguments[] = {&view_argument, &key};
    check(cudaLaunchCooperativeKernel(resident_search, dim3(static_cast<unsigned>(blocks)), dim3(kThreads), arguments, shared_bytes, stream.get()));
    launch_write_results(view, key, stream);
}

void launch_write_results(const ResidentView& view, ResidentKey key, const Stream& stream)
{
    const PeerState& own = view.own();
    const unsigned chunks = (view.graph.local_count + kOutputThreads * 4 - 1) / (kOutputThreads * 4);
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
