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
        : view_(view), graph_(view.graph), own_(view.peers[view.graph.rank]), shared_(shared), barriers_(view)
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
            const bool bottom_up = goes_bottom_up();
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
    }

    /// The counter of the items that are made before the next sum over all GPUs; 0 when the barrier before was passed.
    [[nodiscard]] __device__ std::uint64_t* next_queue_size() { return &view_.queue_size[barriers_.slot()]; }

    /// The items that were counted before the last sum are the frontier's.
    __device__ void take_queue(const std::uint64_t* filled)
    {
        queue_items_ = *static_cast<const volatile std::uint64_t*>(filled);
        queued_ = true;
    }

    __device__ LevelCounts start(ResidentKey key, std::uint64_t* filled)
    {
        if (key.local == ResidentKey::kElsewhere || blockIdx.x != 0 || threadIdx.x >= 32) return {};
        const std::uint32_t slot = graph_.slot_of_local[key.local];
        if (slot == graph_.slot_stride) return {};  // no edges: finish() knows the key
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

    [[nodiscard]] __device__ bool goes_bottom_up() const
    {
        const DirectionRule& rule = view_.rule;
        if (rule.forced != 0) return rule.forced == 2;
        if (last_bottom_up_) return static_cast<double>(counts_.vertices) >= rule.top_down_below_vertices;
        return !queued_ || static_cast<double>(counts_.out_edges) > rule.bottom_up_from_edges;
    }

    __device__ void bottom_up_once()
    {
        if (!last_bottom_up_) {
            if (queued_)
                publish_frontier(view_, [this](std::uint32_t w) { return view_.own_frontier[w]; }, frontier_);
            else
                publish_frontier(view_, [this](std::uint32_t w) { return newly_visited(w); }, frontier_);
            barriers_.sum({});
        }
        counts_ = barriers_.sum(bottom_up_level(view_, frontier_, frontier_ ^ 1, level_, shared_));
        frontier_ ^= 1;
        last_bottom_up_ = true;
        queued_ = false;
        ++level_;
    }

    __device__ void top_down_once()
    {
        counts_ = barriers_.sum(top_down_level(view_, view_.queue[queue_], queue_items_, level_));
        last_bottom_up_ = false;
        queued_ = false;
        ++level_;
        // A frontier this large goes bottom-up whatever its edges, unless that is forbidden; else its edges decide.
        if (counts_.vertices != 0 && (view_.rule.forced == 1 || static_cast<double>(counts_.vertices) <= view_.rule.bottom_up_from_vertices))
            queue_frontier();
    }

    /// Makes the frontier into work items, and knows its out-edges then. Collective over the GPUs.
    __device__ void queue_frontier()
    {
        std::uint64_t* const filled = next_queue_size();
        const auto remember = [this](std::uint32_t w, std::uint32_t word) {
            view_.own_frontier[w] = word;
            return word;
        };
        LevelCounts own;
        if (last_bottom_up_) {
            const std::uint32_t* const words = own_.frontier[frontier_];
            const auto word_of = [&](std::uint32_t w) {
                view_.expanded[w] = own_.visited[w];
                return remember(w, words[graph_.column(graph_.rank, w * 32) / 32]);
            };
            own = make_items(view_, word_of, view_.queue[queue_], filled, shared_);
        } else {
            own = make_items(view_, [&](std::uint32_t w) { return remember(w, newly_visited(w)); }, view_.queue[queue_], filled, shared_);
        }
        counts_ = barriers_.sum(own);
        take_queue(filled);
    }

    /// Word w of what the last top-down level found, which counts as expanded from now on.
    [[nodiscard]] __device__ std::uint32_t newly_visited(std::uint32_t w) const
    {
        const std::uint32_t visited = own_.visited[w];
        const std::uint32_t word = visited & ~view_.expanded[w];
        if (word != 0) view_.expanded[w] = visited;
        return word;
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
        queue_ ^= 1;
        take_queue(filled);
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
        for (std::uint32_t w = thread(); w < graph_.slot_stride / 32; w += threads()) {
            for (std::uint32_t rest = ~own_.visited[w]; rest != 0; rest &= rest - 1) {
                const std::uint32_t slot = w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
                own_.parents[slot] = ~0U;
                if (view_.keep_levels) own_.levels[slot] = -1;
            }
        }
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

    LevelCounts counts_;          // of the frontier
    std::uint64_t reached_ = 0;
    std::int32_t level_ = 1;
    bool last_bottom_up_ = false;
    int frontier_ = 0;            // the bitmap of all columns that holds the frontier after a bottom-up level
    bool queued_ = false;         // whether the frontier stands as work items, and in own_frontier
    int queue_ = 0;
    std::uint64_t queue_items_ = 0;
    std::uint32_t records_ = 0;
};

/// From slots into the order of local numbers. Slots of one degree class ascend with local numbers, so that a block which takes consecutive numbers
/// reads each class's stretch of `by_slot` from its cache. A kernel of its own: it wants the cache that the search uses as shared memory.
__global__ void __launch_bounds__(kThreads, 2) write_result(DeviceGraphView graph, const std::uint32_t* __restrict__ by_slot, std::int32_t* result,
                                                           std::uint32_t key_local, std::int32_t key_value)
{
    constexpr std::uint32_t chunk = kThreads * 4;
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * chunk; first < graph.local_count; first += std::uint64_t{gridDim.x} * chunk) {
        const std::uint64_t i = first + std::uint64_t{threadIdx.x} * 4;
        std::int32_t values[4];
        const std::uint32_t count = i + 4 <= graph.local_count ? 4 : i < graph.local_count ? static_cast<std::uint32_t>(graph.local_count - i) : 0;
        if (count == 4) {
            const uint4 slots = __ldcs(reinterpret_cast<const uint4*>(graph.slot_of_local + i));
            values[0] = static_cast<std::int32_t>(by_slot[slots.x]);
            values[1] = static_cast<std::int32_t>(by_slot[slots.y]);
            values[2] = static_cast<std::int32_t>(by_slot[slots.z]);
            values[3] = static_cast<std::int32_t>(by_slot[slots.w]);
        } else {
            for (std::uint32_t j = 0; j < count; ++j) values[j] = static_cast<std::int32_t>(by_slot[graph.slot_of_local[i + j]]);
        }
        if (key_local >= i && key_local - i < count) values[key_local - i] = key_value;  // a key without edges has no slot
        if (count == 4)
            __stcs(reinterpret_cast<int4*>(result + i), int4{values[0], values[1], values[2], values[3]});
        else
            for (std::uint32_t j = 0; j < count; ++j) result[i + j] = values[j];
    }
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
    return std::max(sizeof(BottomUpMemory) + hub_words * sizeof(std::uint32_t), sizeof(SingleBlockMemory));
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
    if (cooperative == 0 || blocks == 0) throw ResourceError("this GPU cannot run the resident search (" + std::to_string(shared_bytes) + " bytes of shared memory a block)");
    return multiprocessors;
}

void launch_resident(const ResidentView& view, ResidentKey key, int blocks, std::size_t shared_bytes, const Stream& stream)
{
    ResidentView view_argument = view;
    void* arguments[] = {&view_argument, &key};
    check(cudaLaunchCooperativeKernel(resident_search, dim3(static_cast<unsigned>(blocks)), dim3(kThreads), arguments, shared_bytes, stream.get()));
    const PeerState& own = view.peers[view.graph.rank];
    const unsigned chunks = (view.graph.local_count + kThreads * 4 - 1) / (kThreads * 4);
    if (chunks == 0) return;
    write_result<<<chunks, kThreads, 0, stream.get()>>>(view.graph, own.parents, view.result, key.local, static_cast<std::int32_t>(key.vertex));
    check_launch();
    if (!view.keep_levels) return;
    write_result<<<chunks, kThreads, 0, stream.get()>>>(view.graph, reinterpret_cast<const std::uint32_t*>(own.levels), view.result_levels, key.local, 0);
    check_launch();
}

}  // namespace wayfront::gpu
