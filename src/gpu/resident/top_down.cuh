// Top-down levels of the resident search.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012, doi:10.1145/2145816.2145832, with exact bitmaps by atomics as in
// T. Hiragushi and D. Takahashi's paper (section 3.1). A vertex of the frontier is work items of kItemEdges edges; a warp takes an item at a time, so
// that one vertex with a million edges keeps the whole GPU busy. The graph is undirected: the list of a row is its out-edges as well as its in-edges,
// and the owner of a frontier vertex follows them, into the memory of peers where its neighbours live there.
//
// What a level finds is not queued as it is found, as one counter hit by all warps would cost more than the level: it is the difference between
// `visited` and `expanded`, and a scan of both bitmaps makes the next level's items.
#pragma once

#include "gpu/launch.hpp"
#include "gpu/resident/view.hpp"

namespace wayfront::gpu {

/// Exclusive prefix sum over a warp; `total` becomes the sum.
__device__ inline std::uint32_t warp_prefix(std::uint32_t value, std::uint32_t& total)
{
    std::uint32_t sum = value;
    for (int offset = 1; offset < 32; offset *= 2) {
        const std::uint32_t lower = __shfl_up_sync(~0U, sum, offset);
        if (lane_id() >= static_cast<std::uint32_t>(offset)) sum += lower;
    }
    total = __shfl_sync(~0U, sum, 31);
    return sum - value;
}

[[nodiscard]] __device__ inline std::uint32_t item_count(std::uint64_t degree)
{
    return static_cast<std::uint32_t>((degree + kItemEdges - 1) / kItemEdges);
}

/// Writes the items of one slot a lane (pieces 0: none) from `position` on, which is the lane's own; long lists by the whole warp.
__device__ inline void write_items(WorkItem* queue, std::uint64_t position, std::uint32_t slot, std::uint32_t pieces)
{
    if (pieces == 1) queue[position] = {slot, 0};
    for (std::uint32_t many = __ballot_sync(~0U, pieces > 1); many != 0; many &= many - 1) {
        const int lane = __ffs(static_cast<int>(many)) - 1;
        const std::uint32_t lane_slot = __shfl_sync(~0U, slot, lane);
        const std::uint32_t lane_pieces = __shfl_sync(~0U, pieces, lane);
        const std::uint64_t first = __shfl_sync(~0U, position, lane);
        for (std::uint32_t piece = lane_id(); piece < lane_pieces; piece += 32) queue[first + piece] = {lane_slot, piece};
    }
}

/// Appends the work items of the slots that the lanes of one warp bring (degree 0: none). All lanes call.
__device__ inline void append_items(WorkItem* queue, std::uint64_t* size, std::uint32_t slot, std::uint64_t degree)
{
    std::uint32_t total = 0;
    const std::uint32_t pieces = item_count(degree);
    const std::uint32_t before = warp_prefix(pieces, total);
    if (total == 0) return;
    std::uint64_t base = 0;
    if (lane_id() == 0) base = atomicAdd(reinterpret_cast<unsigned long long*>(size), static_cast<unsigned long long>(total));
    write_items(queue, __shfl_sync(~0U, base, 0) + before, slot, pieces);
}

/// Claims a set of columns, one lane each or none (cols()), for the parent `vertex` (the input's number), in their owners' memory. Returns how many this
/// thread was first to claim. All accesses of one kind are in flight together.
template <int Count>
__device__ std::uint32_t claim(const ResidentView& view, const std::uint32_t (&columns)[Count], std::uint32_t vertex, std::int32_t level)
{
    const DeviceGraphView& graph = view.graph;
    const bool alone = graph.ranks == 1;
    bool open[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        open[e] = columns[e] != graph.cols();
        // A look at the cached word, which may be out of date: a set bit is true, an unset one is asked for again.
        if (alone && open[e]) open[e] = ((view.peers[0].visited[columns[e] / 32] >> (columns[e] % 32)) & 1U) == 0;
    }
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        if (!open[e]) continue;
        const std::uint32_t slot = alone ? columns[e] : graph.slot_of(columns[e]);
        std::uint32_t* const word = &view.peers[alone ? 0 : graph.owner_of(columns[e])].visited[slot / 32];
        const std::uint32_t bit = 1U << (slot % 32);
        open[e] = ((alone ? atomicOr(word, bit) : atomicOr_system(word, bit)) & bit) == 0;
    }
    std::uint32_t found = 0;
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        if (!open[e]) continue;
        const std::uint32_t slot = alone ? columns[e] : graph.slot_of(columns[e]);
        const PeerState& owner = view.peers[alone ? 0 : graph.owner_of(columns[e])];
        owner.parents[slot] = vertex;
        if (view.keep_levels) owner.levels[slot] = level;
        ++found;
    }
    return found;
}

/// One level over the items of `queue`; returns how many vertices it found, wherever they live.
__device__ inline LevelCounts top_down_level(const ResidentView& view, const WorkItem* queue, std::uint64_t items, std::int32_t level)
{
    constexpr int lane_edges = kItemEdges / 32;
    const DeviceGraphView& graph = view.graph;
    LevelCounts counts;
    const std::uint64_t warps = std::uint64_t{gridDim.x} * blockDim.x / 32;
    for (std::uint64_t i = (std::uint64_t{threadIdx.x / 32} * gridDim.x) + blockIdx.x; i < items; i += warps) {
        const WorkItem item = queue[i];
        const ListPlace list = graph.lists[item.slot];
        const std::uint32_t vertex = graph.vertex_of_column[graph.column(graph.rank, item.slot)];
        const std::uint32_t first = item.piece * kItemEdges;
        std::uint32_t columns[lane_edges];
#pragma unroll
        for (int e = 0; e < lane_edges; ++e) {
            const std::uint32_t edge = first + static_cast<std::uint32_t>(e) * 32 + lane_id();
            columns[e] = edge < list.degree() ? __ldcs(graph.neighbours + list.begin() + edge) : graph.cols();
        }
        counts.vertices += claim(view, columns, vertex, level);
    }
    return counts;
}

inline constexpr std::uint32_t kScanWords = 128;  // words of a bitmap that a block makes into items at a time

/// Shared memory of make_items.
struct ScanMemory
{
    std::uint16_t slots[kScanWords * 32];  // within the scanned words
    std::uint32_t count;
    std::uint32_t items;
    std::uint64_t base;
};

/// Makes this rank's part of the frontier into work items and counts its vertices and their out-edges. `word_of(w)` is the frontier's word w, and is
/// asked once. First the slots of a stretch of words are listed in shared memory, then each thread takes one: the busiest slots stand together, and
/// would else be few threads' work. The counter is hit once a block and stretch.
template <typename WordOf>
__device__ LevelCounts make_items(const ResidentView& view, WordOf&& word_of, WorkItem* queue, std::uint64_t* size, std::uint32_t* shared)
{
    auto& memory = *reinterpret_cast<ScanMemory*>(shared);
    const DeviceGraphView& graph = view.graph;
    const std::uint32_t words = graph.slot_stride / 32;
    LevelCounts counts;
    for (std::uint32_t first = blockIdx.x * kScanWords; first < words; first += gridDim.x * kScanWords) {
        if (threadIdx.x == 0) memory.count = 0;
        __syncthreads();
        if (threadIdx.x < kScanWords) {
            const std::uint32_t w = first + threadIdx.x;
            const std::uint32_t word = w < words ? word_of(w) : 0;
            std::uint32_t total = 0;
            std::uint32_t position = warp_prefix(static_cast<std::uint32_t>(__popc(word)), total);
            std::uint32_t base = 0;
            if (lane_id() == 0 && total != 0) base = atomicAdd(&memory.count, total);
            position += __shfl_sync(~0U, base, 0);
            for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
                memory.slots[position++] = static_cast<std::uint16_t>(threadIdx.x * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1));
        }
        __syncthreads();
        const std::uint32_t count = memory.count;
        for (std::uint32_t done = 0; done < count; done += blockDim.x) {
            if (threadIdx.x == 0) memory.items = 0;
            __syncthreads();
            const std::uint32_t i = done + threadIdx.x;
            const std::uint32_t slot = i < count ? first * 32 + memory.slots[i] : 0;
            const std::uint32_t degree = i < count ? graph.lists[slot].degree() : 0;
            counts.vertices += i < count ? 1 : 0;
            counts.out_edges += degree;
            const std::uint32_t pieces = item_count(degree);
            std::uint32_t warp_items = 0;
            std::uint64_t position = warp_prefix(pieces, warp_items);
            std::uint32_t warp_base = 0;
            if (lane_id() == 0 && warp_items != 0) warp_base = atomicAdd(&memory.items, warp_items);
            __syncthreads();
            if (threadIdx.x == 0 && memory.items != 0)
                memory.base = atomicAdd(reinterpret_cast<unsigned long long*>(size), static_cast<unsigned long long>(memory.items));
            __syncthreads();
            position += memory.base + __shfl_sync(~0U, warp_base, 0);
            write_items(queue, position, slot, pieces);
        }
        __syncthreads();
    }
    return counts;
}

}  // namespace wayfront::gpu
