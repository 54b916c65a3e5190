// Levels of a handful of vertices: one block runs them, one after the other, while the rest of the GPU waits at the barrier.
//
// On a graph of large diameter (a road network) almost every level is like this, and a barrier over the whole GPU costs more than the level. The
// frontier lives in shared memory; a level is three dependent accesses to the L2 cache. One GPU only.
#pragma once

#include "gpu/resident/top_down.cuh"

namespace wayfront::gpu {

inline constexpr std::uint32_t kSingleBlockEdges = 6000;  // out-edges of a frontier that one block still takes: no more vertices can follow
inline constexpr std::uint32_t kSerialEdges = 64;         // of a list that one thread follows; the block follows longer ones together
inline constexpr std::uint32_t kQueuedEdges = 1 << 18;    // out-edges of the frontier that is left, up to which the block makes its work items itself
inline constexpr std::uint32_t kThreadEdges = 4;          // edges that a thread has in flight

/// A vertex of a frontier in shared memory.
struct SingleBlockEntry
{
    ListPlace list;
    std::uint32_t slot;
    std::uint32_t vertex;  // its number in the input
};

/// Shared memory of a single block's levels: two frontiers, and what is counted of three: the one that is read, the one that is filled, and the one
/// whose counts are cleared for the level after.
struct SingleBlockMemory
{
    SingleBlockEntry entries[2][kSingleBlockEdges];
    std::uint32_t sizes[3];
    std::uint32_t edges[3];      // of the entries' lists, at most kMostSum
    std::uint32_t some_long[3];  // whether a list is longer than kSerialEdges

    static constexpr std::uint32_t kMostSum = 1U << 30;
};

/// Where a run of such levels stopped. The frontier that is left stands in own_frontier, and as work items where they are few (queues()).
struct SingleBlockOutcome
{
    LevelCounts counts;         // of the frontier that is left
    std::uint64_t reached = 0;  // vertices of the frontiers after the first, the one that is left not counted
    std::int32_t level = 0;     // the next level
};

class SingleBlock
{
public:
    __device__ SingleBlock(const ResidentView& view, SingleBlockMemory& memory) : view_(view), memory_(memory) {}

    /// Whether a frontier of so many edges is left as work items.
    [[nodiscard]] __device__ static bool queues(const LevelCounts& left) { return left.out_edges <= kQueuedEdges; }

    /// From the frontier in `queue` on, until it has grown too large or has gone; what is left is appended to `rest` where queues() says so. All
    /// threads of the block call, and get the same outcome.
    __device__ SingleBlockOutcome run(const WorkItem* queue, std::uint64_t items, std::int32_t level, WorkItem* rest, std::uint64_t* rest_size)
    {
        load(queue, items);
        SingleBlockOutcome outcome;
        outcome.level = level;
        int from = 0;
        for (std::uint32_t turn = 0;; turn = (turn + 1) % 3) {
            outcome.counts = {memory_.sizes[turn], memory_.edges[turn]};
            if (outcome.counts.vertices == 0 || outcome.counts.out_edges > kSingleBlockEdges) break;
            if (outcome.level != level) outcome.reached += outcome.counts.vertices;
            if (threadIdx.x == 0) clear((turn + 2) % 3);
            search_level(from, turn, outcome.level);
            __syncthreads();
            from ^= 1;
            ++outcome.level;
        }
        leave(from, outcome.counts, rest, rest_size);
        return outcome;
    }

private:
    __device__ void clear(std::uint32_t turn)
    {
        memory_.sizes[turn] = 0;
        memory_.edges[turn] = 0;
        memory_.some_long[turn] = 0;
    }

    [[nodiscard]] __device__ SingleBlockEntry entry_of(std::uint32_t slot) const
    {
        const DeviceGraphView& graph = view_.graph;
        return {graph.lists[slot], slot, graph.vertex_of_column[slot]};
    }

    __device__ void load(const WorkItem* queue, std::uint64_t items)
    {
        if (threadIdx.x < 3) clear(threadIdx.x);
        __syncthreads();
        for (std::uint64_t base = 0; base < items; base += blockDim.x) {
            const std::uint64_t i = base + threadIdx.x;
            const WorkItem item = i < items ? queue[i] : WorkItem{0, 1};
            const bool there[1] = {item.piece == 0};
            const SingleBlockEntry entries[1] = {there[0] ? entry_of(item.slot) : SingleBlockEntry{}};
            push<1>(0, 0, there, entries);
        }
        __syncthreads();
    }

    /// Appends the entries that the lanes of a warp bring; all lanes call.
    template <std::uint32_t Count>
    __device__ void push(int buffer, std::uint32_t turn, const bool (&there)[Count], const SingleBlockEntry (&entries)[Count])
    {
        std::uint32_t own = 0;
        std::uint32_t edges = 0;
        for (std::uint32_t e = 0; e < Count; ++e) {
            if (!there[e]) continue;
            ++own;
            edges += entries[e].list.degree();
            if (entries[e].list.degree() > kSerialEdges) memory_.some_long[turn] = 1;
        }
        std::uint32_t total = 0;
        std::uint32_t position = warp_prefix(own, total);
        if (total == 0) return;
        edges = __reduce_add_sync(~0U, edges);
        std::uint32_t base = 0;
        if (lane_id() == 0) {
            base = atomicAdd(&memory_.sizes[turn], total);
            // Saturates: a sum this large only needs to be known as too large.
            if (atomicAdd(&memory_.edges[turn], edges < SingleBlockMemory::kMostSum ? edges : SingleBlockMemory::kMostSum) >
                SingleBlockMemory::kMostSum)
                atomicExch(&memory_.edges[turn], SingleBlockMemory::kMostSum);
        }
        position += __shfl_sync(~0U, base, 0);
        for (std::uint32_t e = 0; e < Count; ++e)
            if (there[e]) memory_.entries[buffer][position++] = entries[e];
    }

    /// Up to kThreadEdges edges of one entry a thread, `stride` apart; all lanes of a warp call.
    __device__ void try_edges(const SingleBlockEntry& entry, std::uint64_t edge, std::uint64_t end, std::uint32_t stride, int to, std::uint32_t next,
                              std::int32_t level)
    {
        const PeerState& state = view_.peers[0];
        std::uint32_t columns[kThreadEdges];
        bool found[kThreadEdges];
        SingleBlockEntry entries[kThreadEdges];
#pragma unroll
        for (std::uint32_t e = 0; e < kThreadEdges; ++e) {
            found[e] = edge + std::uint64_t{e} * stride < end;
            columns[e] = found[e] ? view_.graph.neighbours[edge + std::uint64_t{e} * stride] : 0;
        }
#pragma unroll
        for (std::uint32_t e = 0; e < kThreadEdges; ++e) {
            const std::uint32_t bit = 1U << (columns[e] % 32);
            found[e] = found[e] && (atomicOr(&state.visited[columns[e] / 32], bit) & bit) == 0;
        }
#pragma unroll
        for (std::uint32_t e = 0; e < kThreadEdges; ++e) {
            if (!found[e]) continue;
            entries[e] = entry_of(columns[e]);
            state.parents[columns[e]] = entry.vertex;
            if (view_.keep_levels) state.levels[columns[e]] = level;
        }
        push<kThreadEdges>(to, next, found, entries);
    }

    __device__ void search_level(int from, std::uint32_t turn, std::int32_t level)
    {
        const std::uint32_t size = memory_.sizes[turn];
        const std::uint32_t next = (turn + 1) % 3;
        for (std::uint32_t base = 0; base < size; base += blockDim.x) {
            const std::uint32_t i = base + threadIdx.x;
            SingleBlockEntry entry{};
            if (i < size) {
                entry = memory_.entries[from][i];
                atomicOr(&view_.expanded[entry.slot / 32], 1U << (entry.slot % 32));
            }
            const std::uint32_t degree = entry.list.degree() <= kSerialEdges ? entry.list.degree() : 0;
            const std::uint32_t most = __reduce_max_sync(~0U, degree);
            for (std::uint32_t e = 0; e < most; e += kThreadEdges)
                try_edges(entry, entry.list.begin() + e, entry.list.begin() + degree, 1, from ^ 1, next, level);
        }
        if (memory_.some_long[turn] == 0) return;
        for (std::uint32_t i = 0; i < size; ++i) {
            const SingleBlockEntry entry = memory_.entries[from][i];
            if (entry.list.degree() <= kSerialEdges) continue;
            for (std::uint32_t e = 0; e < entry.list.degree(); e += blockDim.x * kThreadEdges)
                try_edges(entry, entry.list.begin() + e + threadIdx.x, entry.list.begin() + entry.list.degree(), blockDim.x, from ^ 1, next, level);
        }
    }

    __device__ void leave(int from, const LevelCounts& left, WorkItem* rest, std::uint64_t* rest_size)
    {
        const bool queue = queues(left);
        for (std::uint32_t base = 0; base < left.vertices; base += blockDim.x) {
            const std::uint32_t i = base + threadIdx.x;
            const bool there = i < left.vertices;
            const std::uint32_t slot = there ? memory_.entries[from][i].slot : 0;
            if (there) {
                atomicOr(&view_.expanded[slot / 32], 1U << (slot % 32));
                atomicOr(&view_.own_frontier[slot / 32], 1U << (slot % 32));
            }
            if (queue) append_items(rest, rest_size, slot, there ? memory_.entries[from][i].list.degree() : 0);
        }
    }

    const ResidentView& view_;
    SingleBlockMemory& memory_;
};

}  // namespace wayfront::gpu
