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

/// Neighbouring lanes that name the same word of a bitmap, and which of them sets their bits.
struct WordRun
{
    std::uint32_t heads;  // of all lanes: whether a run begins there

    __device__ explicit WordRun(std::uint32_t word)
    {
        const std::uint32_t lower = __shfl_up_sync(~0U, word, 1);
        heads = __ballot_sync(~0U, lane_id() == 0 || lower != word);
    }
    [[nodiscard]] __device__ bool is_head() const { return ((heads >> lane_id()) & 1U) != 0; }
    [[nodiscard]] __device__ int head() const { return 31 - __clz(static_cast<int>(heads & (~0U >> (31 - lane_id())))); }

    /// The bits of all lanes of a run, in its first lane.
    [[nodiscard]] __device__ std::uint32_t gather(std::uint32_t bits) const
    {
        const std::uint32_t later = heads & ~(~0U >> (31 - lane_id()));
        const std::uint32_t end = later != 0 ? static_cast<std::uint32_t>(__ffs(static_cast<int>(later)) - 1) : 32;
        for (std::uint32_t offset = 1; offset < 32; offset *= 2) {
            const std::uint32_t others = __shfl_down_sync(~0U, bits, offset);
            if (lane_id() + offset < end) bits |= others;
        }
        return bits;
    }
};

/// Claims neighbours of `vertex` (the input's number), one column a lane and set or none (cols()), in their owners' memory. Returns how many this
/// thread was first to claim. A list begins with the busiest columns, which all lists have in common: lanes whose columns share a word claim them
/// with one atomic, or the hubs' words would be the level's bottleneck. `seen`, this GPU's bitmap of all columns, keeps it from asking another GPU
/// for a vertex twice: a bit is set only where the vertex is visited. With one GPU it is the bitmap of visited slots itself. All accesses of one kind
/// are in flight together. All lanes call.
template <int Count>
__device__ std::uint32_t claim(const ResidentView& view, std::uint32_t* seen, const std::uint32_t (&columns)[Count], std::uint32_t vertex,
                               std::int32_t level)
{
    const DeviceGraphView& graph = view.graph;
    const bool alone = graph.ranks == 1;
    bool open[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        open[e] = columns[e] != graph.cols();
        // A look at the cached word, which may be out of date: a set bit is true, an unset one is asked for again.
        if (open[e]) open[e] = ((seen[columns[e] / 32] >> (columns[e] % 32)) & 1U) == 0;
    }
    std::uint32_t claimed[Count];  // by the first lane of a run, for all its lanes
    int heads[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        const WordRun run(columns[e] / 32);
        heads[e] = run.head();
        claimed[e] = run.gather(open[e] ? 1U << (columns[e] % 32) : 0);
        if (!run.is_head() || claimed[e] == 0) continue;
        claimed[e] &= ~atomicOr(&seen[columns[e] / 32], claimed[e]);
    }
    if (!alone) {
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            if (heads[e] != static_cast<int>(lane_id()) || claimed[e] == 0) continue;
            std::uint32_t* const visited = view.peers[graph.owner_of(columns[e])].visited;
            claimed[e] &= ~atomicOr_system(&visited[graph.slot_of(columns[e]) / 32], claimed[e]);
        }
    }
    std::uint32_t found = 0;
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        const std::uint32_t word = __shfl_sync(~0U, claimed[e], heads[e]);
        if (!open[e] || ((word >> (columns[e] % 32)) & 1U) == 0) continue;
        const std::uint32_t slot = alone ? columns[e] : graph.slot_of(columns[e]);
        const PeerState& owner = view.peers[alone ? 0 : graph.owner_of(columns[e])];
        owner.parents[slot] = vertex;
        if (view.keep_levels) owner.levels[slot] = level;
        ++found;
    }
    return found;
}

/// One level over the items of `queue`; returns how many vertices it found, wherever they live. `seen`: see claim().
__device__ inline LevelCounts top_down_level(const ResidentView& view, std::uint32_t* seen, const WorkItem* queue, std::uint64_t items,
                                             std::int32_t level)
{
    constexpr int lane_edges = kItemEdges / 32;
    const DeviceGraphView& graph = view.graph;
    LevelCounts counts;
    for (std::uint64_t i = spread_index() / 32; i < items; i += index_stride() / 32) {
        const WorkItem item = queue[i];
        const ListPlace list = graph.lists[item.slot];
        const std::uint32_t vertex = graph.vertex_of_column[graph.column(graph.rank, item.slot)];
        const std::uint32_t first = item.piece * kItemEdges;
        std::uint32_t columns[lane_edges];
#pragma unroll
        for (std::uint32_t e = 0; e < lane_edges; ++e) {
            const std::uint32_t edge = first + e * 32 + lane_id();
            columns[e] = edge < list.degree() ? __ldcs(graph.neighbours + list.begin() + edge) : graph.cols();
        }
        counts.vertices += claim(view, seen, columns, vertex, level);
    }
    return counts;
}

/// Word w of what the last top-down level found, which counts as expanded from now on.
[[nodiscard]] __device__ inline std::uint32_t newly_visited(const ResidentView& view, std::uint32_t w)
{
    const std::uint32_t visited = view.own().visited[w];
    const std::uint32_t word = visited & ~view.expanded[w];
    if (word != 0) view.expanded[w] = visited;
    return word;
}

/// Word w of this rank's part of the frontier, which stands in own_frontier from now on, and counts as expanded. Asked once.
[[nodiscard]] __device__ inline std::uint32_t take_frontier_word(const ResidentView& view, FrontierAt at, const std::uint32_t* columns,
                                                                 std::uint32_t w)
{
    if (at == FrontierAt::own_frontier) return view.own_frontier[w];
    std::uint32_t word = 0;
    if (at == FrontierAt::columns) {
        view.expanded[w] = view.own().visited[w];
        word = columns[view.graph.column(view.graph.rank, w * 32) / 32];
    } else {
        word = newly_visited(view, w);
    }
    view.own_frontier[w] = word;
    return word;
}

/// Out-edges of this rank's part of the frontier. `word_of(w)` is its word w, and is asked once.
template <typename WordOf>
__device__ LevelCounts survey_frontier(const ResidentView& view, WordOf&& word_of)
{
    constexpr int in_flight = 4;
    LevelCounts counts;
    for (std::uint64_t w = spread_index(); w < view.graph.slot_stride / 32; w += index_stride()) {
        std::uint32_t rest = word_of(static_cast<std::uint32_t>(w));
        counts.vertices += static_cast<std::uint64_t>(__popc(rest));
        while (rest != 0) {
            std::uint32_t degrees[in_flight];
#pragma unroll
            for (int i = 0; i < in_flight; ++i) {
                const std::uint64_t slot = w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
                degrees[i] = rest != 0 ? view.graph.lists[slot].degree() : 0;
                rest &= rest - 1;
            }
#pragma unroll
            for (int i = 0; i < in_flight; ++i) counts.out_edges += degrees[i];
        }
    }
    return counts;
}

/// Shared memory of make_items.
struct ScanMemory
{
    std::uint32_t slots[1024 * 32];  // of a word for each thread of the block
    std::uint32_t count;
};

/// Makes this rank's part of the frontier into work items and counts its vertices and their out-edges. `word_of(w)` is the frontier's word w, and is
/// asked once. The busiest slots stand together, so neighbouring warps' words go to different blocks, and a block lists its slots in shared memory
/// before each thread takes four. Pre: at most 1024 threads a block.
template <typename WordOf>
__device__ LevelCounts make_items(const ResidentView& view, WordOf&& word_of, WorkItem* queue, std::uint64_t* size, std::uint32_t* shared)
{
    constexpr std::uint32_t lane_slots = 4;
    auto& memory = *reinterpret_cast<ScanMemory*>(shared);
    const DeviceGraphView& graph = view.graph;
    const std::uint32_t words = graph.slot_stride / 32;
    LevelCounts counts;
    for (std::uint32_t first = 0; first < words; first += gridDim.x * blockDim.x) {
        if (threadIdx.x == 0) memory.count = 0;
        __syncthreads();
        const std::uint32_t w = first + static_cast<std::uint32_t>(spread_index());
        const std::uint32_t word = w < words ? word_of(w) : 0;
        std::uint32_t total = 0;
        std::uint32_t place = warp_prefix(static_cast<std::uint32_t>(__popc(word)), total);
        std::uint32_t warp_place = 0;
        if (lane_id() == 0 && total != 0) warp_place = atomicAdd(&memory.count, total);
        place += __shfl_sync(~0U, warp_place, 0);
        for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
            memory.slots[place++] = w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
        __syncthreads();
        const std::uint32_t count = memory.count;
        for (std::uint32_t from = threadIdx.x / 32 * 32 * lane_slots; from < count; from += blockDim.x * lane_slots) {
            std::uint32_t slots[lane_slots];
            std::uint32_t pieces[lane_slots];
            std::uint32_t own_items = 0;
#pragma unroll
            for (std::uint32_t e = 0; e < lane_slots; ++e) {
                const std::uint32_t i = from + e * 32 + lane_id();
                slots[e] = i < count ? memory.slots[i] : 0;
                const std::uint32_t degree = i < count ? graph.lists[slots[e]].degree() : 0;
                counts.vertices += i < count ? 1 : 0;
                counts.out_edges += degree;
                pieces[e] = item_count(degree);
                own_items += pieces[e];
            }
            std::uint32_t warp_items = 0;
            const std::uint32_t before = warp_prefix(own_items, warp_items);
            std::uint64_t base = 0;
            if (lane_id() == 0) base = atomicAdd(reinterpret_cast<unsigned long long*>(size), static_cast<unsigned long long>(warp_items));
            std::uint64_t position = __shfl_sync(~0U, base, 0) + before;
#pragma unroll
            for (std::uint32_t e = 0; e < lane_slots; ++e) {
                write_items(queue, position, slots[e], pieces[e]);
                position += pieces[e];
            }
        }
        __syncthreads();
    }
    return counts;
}

/// Parents and levels of the own slots that a search did not reach.
__device__ inline void mark_unreached(const ResidentView& view)
{
    const PeerState& own = view.own();
    for (std::uint64_t w = first_index(); w < view.graph.slot_stride / 32; w += index_stride()) {
        for (std::uint32_t rest = ~own.visited[w]; rest != 0; rest &= rest - 1) {
            const std::uint64_t slot = w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
            own.parents[slot] = ~0U;
            if (view.keep_levels) own.levels[slot] = -1;
        }
    }
}

}  // namespace wayfront::gpu
