// Levels of few vertices: a single block runs these levels one after the other, while the other
// blocks wait at the barrier.
//
// In a graph of large diameter (a road network), almost every level has few vertices, and a barrier
// over the whole GPU costs more than the level. The frontier is in shared memory, and so is the
// bitmap of visited vertices if it fits. A level is then one access to the L2 cache for the near
// lists of the frontier's slots, and another for each further four edges of the longest list of a
// warp. Single-block levels run on one GPU only.
#pragma once

#include "gpu/bfs/search_plan.hpp"
#include "gpu/bfs/view.hpp"
#include "gpu/graph/work_items.cuh"
#include "gpu/runtime/bits.cuh"

namespace wayfront::gpu::bfs {

// Length of the longest list that one thread follows alone. The block follows longer lists
// together.
inline constexpr std::uint32_t kSerialEdges = 64;
inline constexpr int kThreadEdges = kNearLists;  // number of edges of a thread whose loads are in flight together

/// The shared memory of single-block levels: two frontiers and three sets of counts, for the
/// frontier that is read, the frontier that is filled, and the frontier after it, whose counts are
/// being cleared. The bitmap of visited slots follows this struct if it fits.
struct SingleBlockMemory
{
    std::uint32_t slots[2][kSingleBlockEdges];
    std::uint32_t sizes[3];
    std::uint32_t edges[3];  // out-edges; each warp adds at most kMostSum
    std::uint32_t tail_edges[3];
    std::uint32_t has_long_list[3];  // whether a list is longer than kSerialEdges

    // Largest sum of a warp. A sum of this size may be too small, but is too large for a
    // single-block level in any case.
    static constexpr std::uint32_t kMostSum = 1U << 26;
};

class SingleBlock
{
public:
    /// `memory`: the beginning of `bytes` bytes of shared memory.
    __device__ SingleBlock(const SearchView& view, SingleBlockMemory& memory, std::size_t bytes)
        : view_(view),
          memory_(memory),
          words_(view.graph.slot_stride / 32),
          visited_in_shared_(sizeof(SingleBlockMemory) + words_ * sizeof(std::uint32_t) <= bytes)
    {
    }

    /// Runs levels from the frontier in `queue` until a frontier is too large or empty, or the last
    /// level is done. The remaining frontier is then in own_frontier. Appends its work items to
    /// `rest` if SearchPlan::queues() is true. All threads of the block call, and get the same
    /// outcome.
    __device__ SmallLevelsOutcome run(const WorkItem* queue, std::uint64_t items, std::int32_t level, WorkItem* rest,
                                      std::uint64_t* rest_size)
    {
        load(queue, items);
        SmallLevelsOutcome outcome;
        outcome.level = level;
        int from = 0;
        for (std::uint32_t turn = 0;; turn = (turn + 1) % 3) {
            const std::uint32_t size = memory_.sizes[turn];
            const FrontierEntry first = load_entry(from, threadIdx.x, size);
            count_edges(from, turn, size, first);
            __syncthreads();
            outcome.counts = {size, memory_.edges[turn], memory_.tail_edges[turn]};
            if (size == 0 || outcome.counts.out_edges > kSingleBlockEdges) break;
            if (outcome.level > view_.rule.options.max_level) break;
            if (outcome.level != level) outcome.reached += size;
            if (threadIdx.x == 0) clear((turn + 2) % 3);
            search_level(from, turn, first, outcome.level);
            __syncthreads();
            from ^= 1;
            ++outcome.level;
        }
        store_frontier(from, outcome.counts, rest, rest_size);
        return outcome;
    }

private:
    /// A vertex of the frontier and the beginning of its list.
    struct FrontierEntry
    {
        std::uint32_t slot = 0;
        ListPlace list;            // empty if the entry has no vertex
        std::uint32_t vertex = 0;  // the input's number of the vertex
        std::uint32_t near[kNearLists];
    };

    __device__ void clear(std::uint32_t turn)
    {
        memory_.sizes[turn] = 0;
        memory_.edges[turn] = 0;
        memory_.tail_edges[turn] = 0;
        memory_.has_long_list[turn] = 0;
    }

    __device__ void load(const WorkItem* queue, std::uint64_t items)
    {
        if (threadIdx.x < 3) clear(threadIdx.x);
        if (visited_in_shared_)
            for (std::uint32_t w = threadIdx.x; w < words_; w += blockDim.x) shared_visited()[w] = view_.own.visited[w];
        __syncthreads();
        for (std::uint64_t base = 0; base < items; base += blockDim.x) {
            const std::uint64_t i = base + threadIdx.x;
            const WorkItem item = i < items ? queue[i] : WorkItem{0, 1};
            const bool wanted[1] = {item.piece == 0};
            const std::uint32_t slot[1] = {item.slot};
            push(0, 0, wanted, slot);
        }
        __syncthreads();
    }

    /// Reads entry i of a frontier of `size` entries. All loads are in flight together.
    [[nodiscard]] __device__ FrontierEntry load_entry(int from, std::uint32_t i, std::uint32_t size) const
    {
        const DeviceGraphView& graph = view_.graph;
        FrontierEntry entry;
        const bool has_vertex = i < size;
        const std::uint32_t slot = has_vertex ? memory_.slots[from][i] : 0;
        entry.slot = slot;
        if (has_vertex) {
            entry.list = graph.out.lists[slot];
            entry.vertex = graph.vertex_of_column[slot];
        }
#pragma unroll
        for (int k = 0; k < kNearLists; ++k)
            entry.near[k] = has_vertex && slot < graph.out.near_rows[k] ? graph.out.near[k][slot] : graph.cols();
        return entry;
    }

    /// Sums the out-edges of the frontier. `first`: this thread's first entry, which has been read
    /// already.
    __device__ void count_edges(int from, std::uint32_t turn, std::uint32_t size, const FrontierEntry& first)
    {
        constexpr std::uint32_t most = SingleBlockMemory::kMostSum;
        const bool has_tail = view_.rule.has_tail;
        std::uint32_t edges = 0;
        std::uint32_t tail_edges = 0;
        bool has_long_list = false;
        const auto add = [&](std::uint32_t slot, std::uint32_t degree) {
            const std::uint32_t part = degree < most ? degree : most;
            edges = edges + part < most ? edges + part : most;
            if (has_tail && slot >= view_.tail_slot) tail_edges = tail_edges + part < most ? tail_edges + part : most;
            has_long_list = has_long_list || degree > kSerialEdges;
        };
        add(first.slot, first.list.degree());
#pragma unroll 4
        for (std::uint32_t i = threadIdx.x + blockDim.x; i < size; i += blockDim.x) {
            const std::uint32_t slot = memory_.slots[from][i];
            add(slot, view_.graph.out.lists[slot].degree());
        }
        if (has_long_list) memory_.has_long_list[turn] = 1;
        add_warp_sum(memory_.edges[turn], edges);
        if (has_tail) add_warp_sum(memory_.tail_edges[turn], tail_edges);
    }

    /// Adds the sum over a warp, at most kMostSum, to `total`. All lanes call.
    __device__ static void add_warp_sum(std::uint32_t& total, std::uint32_t value)
    {
        constexpr std::uint32_t most = SingleBlockMemory::kMostSum;
        const std::uint32_t sum = __reduce_add_sync(kAllLanes, value);
        if (lane_id() == 0 && sum != 0) atomicAdd(&total, sum < most ? sum : most);
    }

    /// Appends the slots for which `wanted` is set to a frontier. All lanes of a warp call.
    template <std::uint32_t Count>
    __device__ void push(int buffer, std::uint32_t turn, const bool (&wanted)[Count],
                         const std::uint32_t (&slots)[Count])
    {
        std::uint32_t lanes[Count];
        std::uint32_t total = 0;
#pragma unroll
        for (std::uint32_t e = 0; e < Count; ++e) {
            lanes[e] = __ballot_sync(kAllLanes, wanted[e]);
            total += static_cast<std::uint32_t>(__popc(lanes[e]));
        }
        if (total == 0) return;
        std::uint32_t base = 0;
        if (lane_id() == 0) base = atomicAdd(&memory_.sizes[turn], total);
        base = __shfl_sync(kAllLanes, base, 0);
#pragma unroll
        for (std::uint32_t e = 0; e < Count; ++e) {
            if (wanted[e]) memory_.slots[buffer][base + lanes_below(lanes[e])] = slots[e];
            base += static_cast<std::uint32_t>(__popc(lanes[e]));
        }
    }

    /// Sets a bit of word w. Returns the old value of the word.
    __device__ std::uint32_t set_visited(std::uint32_t w, std::uint32_t bit)
    {
        return visited_in_shared_ ? atomicOr(&shared_visited()[w], bit) : atomicOr(&view_.own.visited[w], bit);
    }

    [[nodiscard]] __device__ std::uint32_t* shared_visited() const
    {
        return reinterpret_cast<std::uint32_t*>(&memory_ + 1);
    }

    /// The frontier that a level fills.
    struct NextFrontier
    {
        std::uint32_t turn;  // index of its counts in SingleBlockMemory
        int buffer;          // index of its slots in SingleBlockMemory::slots
        std::int32_t level;  // of its vertices
    };

    /// Visits the columns of one vertex's list; cols() is no column. All lanes of a warp call.
    __device__ void visit_columns(const std::uint32_t (&columns)[kThreadEdges], std::uint32_t vertex,
                                  const NextFrontier& next)
    {
        const PeerState& state = view_.own;
        std::uint32_t before[kThreadEdges];
#pragma unroll
        for (std::uint32_t e = 0; e < kThreadEdges; ++e)
            before[e] = columns[e] != view_.graph.cols() ? set_visited(columns[e] / 32, 1U << (columns[e] % 32)) : ~0U;
        wait_for_all(before, view_.zero);
        bool found[kThreadEdges];
#pragma unroll
        for (std::uint32_t e = 0; e < kThreadEdges; ++e) found[e] = !is_set(before[e], columns[e]);
        push(next.buffer, next.turn, found, columns);
#pragma unroll
        for (std::uint32_t e = 0; e < kThreadEdges; ++e) {
            if (!found[e]) continue;
            state.parents[columns[e]] = vertex;
            if (view_.keep_levels) state.levels[columns[e]] = next.level;
        }
    }

    /// The edges of a list that a thread visits: `first`, `first` + `stride` and so on before
    /// `end`.
    struct ThreadEdges
    {
        std::uint64_t first;
        std::uint64_t end;
        std::uint32_t stride;
    };

    /// Visits the first kThreadEdges of these edges. All lanes of a warp call.
    __device__ void visit_edges(const ThreadEdges& edges, std::uint32_t vertex, const NextFrontier& next)
    {
        std::uint32_t columns[kThreadEdges];
#pragma unroll
        for (std::uint32_t e = 0; e < kThreadEdges; ++e) {
            const std::uint64_t place = edges.first + std::uint64_t{e} * edges.stride;
            columns[e] = place < edges.end ? view_.graph.out.neighbours[place] : view_.graph.cols();
        }
        visit_columns(columns, vertex, next);
    }

    /// Follows a list from its beginning, unless it is long. All lanes of a warp call.
    __device__ void follow(const FrontierEntry& entry, const NextFrontier& next)
    {
        const bool is_long = entry.list.degree() > kSerialEdges;
        std::uint32_t columns[kNearLists];
#pragma unroll
        for (int k = 0; k < kNearLists; ++k) columns[k] = is_long ? view_.graph.cols() : entry.near[k];
        visit_columns(columns, entry.vertex, next);
        const std::uint32_t degree = is_long ? 0 : entry.list.degree();
        const std::uint32_t most = __reduce_max_sync(kAllLanes, degree);
        for (std::uint32_t e = kNearLists; e < most; e += kThreadEdges)
            visit_edges({.first = entry.list.begin() + e, .end = entry.list.begin() + degree, .stride = 1},
                        entry.vertex, next);
    }

    __device__ void search_level(int from, std::uint32_t turn, const FrontierEntry& first, std::int32_t level)
    {
        const std::uint32_t size = memory_.sizes[turn];
        const NextFrontier next{.turn = (turn + 1) % 3, .buffer = from ^ 1, .level = level};
        if (!visited_in_shared_)
            for (std::uint32_t i = threadIdx.x; i < size; i += blockDim.x) mark_expanded(memory_.slots[from][i]);
        // Most levels have fewer vertices than the block has threads.
        if (threadIdx.x / 32 * 32 < size) follow(first, next);
        for (std::uint32_t base = blockDim.x; base < size; base += blockDim.x)
            follow(load_entry(from, base + threadIdx.x, size), next);
        if (memory_.has_long_list[turn] == 0) return;
        for (std::uint32_t i = 0; i < size; ++i) {
            const std::uint32_t slot = memory_.slots[from][i];
            const ListPlace list = view_.graph.out.lists[slot];
            if (list.degree() <= kSerialEdges) continue;
            for (std::uint32_t e = 0; e < list.degree(); e += blockDim.x * kThreadEdges)
                visit_edges({.first = list.begin() + e + threadIdx.x,
                             .end = list.begin() + list.degree(),
                             .stride = blockDim.x},
                            view_.graph.vertex_of_column[slot], next);
        }
    }

    __device__ void mark_expanded(std::uint32_t slot)
    {
        atomicOr(&view_.expanded[slot / 32], 1U << (slot % 32));
    }

    __device__ void store_frontier(int from, const LevelCounts& left, WorkItem* rest, std::uint64_t* rest_size)
    {
        const bool queue = SearchPlan::queues(left);
        for (std::uint32_t base = 0; base < left.vertices; base += blockDim.x) {
            const std::uint32_t i = base + threadIdx.x;
            const bool has_vertex = i < left.vertices;
            const std::uint32_t slot = has_vertex ? memory_.slots[from][i] : 0;
            if (has_vertex) {
                if (!visited_in_shared_) mark_expanded(slot);
                atomicOr(&view_.own_frontier[slot / 32], 1U << (slot % 32));
            }
            if (queue) append_items(rest, rest_size, slot, has_vertex ? view_.graph.out.lists[slot].degree() : 0);
        }
        if (!visited_in_shared_) return;
        for (std::uint32_t w = threadIdx.x; w < words_; w += blockDim.x) {
            view_.own.visited[w] = shared_visited()[w];
            view_.expanded[w] = shared_visited()[w];
        }
    }

    const SearchView& view_;
    SingleBlockMemory& memory_;
    std::uint32_t words_;
    bool visited_in_shared_;  // whether the bitmap of visited slots is in shared memory, after memory_
};

}  // namespace wayfront::gpu::bfs
