// Top-down levels of searches on GPUs, and what makes frontiers ready for a level.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012, doi:10.1145/2145816.2145832, with exact bitmaps by atomics as in
// T. Hiragushi and D. Takahashi's paper (section 3.1). A vertex of the frontier is work items of kItemEdges edges; a warp takes an item at a time, so
// that one vertex with a million edges keeps the whole GPU busy. The graph is undirected: the list of a row is its out-edges as well as its in-edges,
// and the owner of a frontier vertex follows them, into the memory of peers where its neighbours live there.
//
// What a level finds is not queued as it is found, as one counter hit by all warps would cost more than the level: it is the difference between
// `visited` and `expanded`, and a scan of both bitmaps makes the next level's items.
#pragma once

#include "gpu/bfs/publish.cuh"
#include "gpu/bfs/view.hpp"
#include "gpu/runtime/bits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp_prefix.cuh"

namespace wayfront::gpu {

/// Work items of a list so long.
[[nodiscard]] __device__ inline std::uint32_t item_count(std::uint32_t degree, ItemSizes sizes)
{
    const std::uint32_t edges = item_edges(degree, sizes);
    return (degree + edges - 1) / edges;
}

/// Writes the items of one slot a lane (pieces 0: none) from `position` on, which is the lane's own; long lists by the whole warp.
__device__ inline void write_items(WorkItem* queue, std::uint64_t position, std::uint32_t slot, std::uint32_t pieces)
{
    if (pieces == 1) queue[position] = {slot, 0};
    for (std::uint32_t many = __ballot_sync(kAllLanes, pieces > 1); many != 0; many &= many - 1) {
        const int lane = __ffs(static_cast<int>(many)) - 1;
        const std::uint32_t lane_slot = __shfl_sync(kAllLanes, slot, lane);
        const std::uint32_t lane_pieces = __shfl_sync(kAllLanes, pieces, lane);
        const std::uint64_t first = __shfl_sync(kAllLanes, position, lane);
        for (std::uint32_t piece = lane_id(); piece < lane_pieces; piece += 32) queue[first + piece] = {lane_slot, piece};
    }
}

/// Appends the work items, of one size, of the slots that the lanes of one warp bring (degree 0: none). All lanes call.
__device__ inline void append_items(WorkItem* queue, std::uint64_t* size, std::uint32_t slot, std::uint32_t degree)
{
    std::uint32_t total = 0;
    const std::uint32_t pieces = item_count(degree, ItemSizes::one);
    const std::uint32_t before = warp_prefix(pieces, total);
    if (total == 0) return;
    std::uint64_t base = 0;
    if (lane_id() == 0) base = atomicAdd(reinterpret_cast<unsigned long long*>(size), static_cast<unsigned long long>(total));
    write_items(queue, __shfl_sync(kAllLanes, base, 0) + before, slot, pieces);
}

/// Neighbouring lanes that name the same word of a bitmap, and which of them sets their bits.
struct WordRun
{
    std::uint32_t heads;  // of all lanes: whether a run begins there

    __device__ explicit WordRun(std::uint32_t word)
    {
        const std::uint32_t lower = __shfl_up_sync(kAllLanes, word, 1);
        heads = __ballot_sync(kAllLanes, lane_id() == 0 || lower != word);
    }
    [[nodiscard]] __device__ bool is_head() const { return ((heads >> lane_id()) & 1U) != 0; }
    [[nodiscard]] __device__ int head() const { return 31 - __clz(static_cast<int>(heads & (~0U >> (31 - lane_id())))); }

    /// The bits of all lanes of a run, in its first lane.
    [[nodiscard]] __device__ std::uint32_t gather(std::uint32_t bits) const
    {
        const std::uint32_t later = heads & ~(~0U >> (31 - lane_id()));
        const std::uint32_t end = later != 0 ? static_cast<std::uint32_t>(__ffs(static_cast<int>(later)) - 1) : 32;
        for (std::uint32_t offset = 1; offset < 32; offset *= 2) {
            const std::uint32_t others = __shfl_down_sync(kAllLanes, bits, offset);
            if (lane_id() + offset < end) bits |= others;
        }
        return bits;
    }
};

/// Claims neighbours of `vertex` (the input's number), one column a lane and set or none (cols()), in their owners' memory. Returns how many this
/// thread was first to claim. A list begins with the busiest columns, which all lists have in common: lanes whose columns share a word claim them
/// with one atomic, or the hubs' words would be the level's bottleneck. `seen`, this GPU's bitmap of all columns, keeps it from asking another GPU
/// for a vertex twice: a bit is set only where the vertex is visited. `Alone`: there is one GPU, and it is the bitmap of visited slots itself. All
/// accesses of one kind are in flight together. All lanes call.
template <bool Alone, int Count>
__device__ std::uint32_t claim(const SearchView& view, std::uint32_t* seen, const std::uint32_t (&columns)[Count], std::uint32_t vertex,
                               std::int32_t level)
{
    const DeviceGraphView& graph = view.graph;
    // A look at the cached words, which may be out of date: a set bit is true, an unset one is asked for again.
    std::uint32_t words[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) words[e] = seen[columns[e] != graph.cols() ? columns[e] / 32 : 0];
    wait_for_all(words, view.zero);
    bool open[Count];
    std::uint32_t claimed[Count];  // by the first lane of a run, for all its lanes
    int heads[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        open[e] = columns[e] != graph.cols() && !is_set(words[e], columns[e]);
        const WordRun run(columns[e] / 32);
        heads[e] = run.head();
        claimed[e] = run.gather(open[e] ? 1U << (columns[e] % 32) : 0);
        if (!run.is_head()) claimed[e] = 0;
    }
    std::uint32_t before[Count] = {};
#pragma unroll
    for (int e = 0; e < Count; ++e)
        if (claimed[e] != 0) before[e] = atomicOr(&seen[columns[e] / 32], claimed[e]);
    keep_new(claimed, before, view.zero);
    if constexpr (!Alone) {
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            before[e] = 0;
            if (claimed[e] != 0)
                before[e] = atomicOr_system(&view.peers[graph.owner_of(columns[e])].visited[graph.slot_of(columns[e]) / 32], claimed[e]);
        }
        keep_new(claimed, before, view.zero);
    }
    std::uint32_t found = 0;
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        const std::uint32_t word = __shfl_sync(kAllLanes, claimed[e], heads[e]);
        if (!open[e] || !is_set(word, columns[e])) continue;
        const std::uint32_t slot = Alone ? columns[e] : graph.slot_of(columns[e]);
        const PeerState& owner = view.peers[Alone ? 0 : graph.owner_of(columns[e])];
        owner.parents[slot] = vertex;
        if (view.keep_levels) owner.levels[slot] = level;
        ++found;
    }
    return found;
}

/// Edges of a list.
struct EdgeRange
{
    std::uint32_t first;
    std::uint32_t last;  // past them
};

[[nodiscard]] __device__ inline EdgeRange edges_of(const WorkItem& item, const ListPlace& list, ItemSizes sizes)
{
    const std::uint32_t edges = item_edges(list.degree(), sizes);
    const std::uint32_t first = item.piece * edges;
    return {first, first + edges < list.degree() ? first + edges : list.degree()};
}

/// kItemEdges edges of a list from `first` on, one a lane at a time; cols() from `last` on.
__device__ inline void load_columns(const DeviceGraphView& graph, const ListPlace& list, std::uint32_t first, std::uint32_t last,
                                    std::uint32_t (&columns)[kItemEdges / 32])
{
    const std::uint32_t edge = first + lane_id();
    const std::uint32_t* const neighbours = graph.neighbours + list.begin() + edge;
#pragma unroll
    for (std::uint32_t e = 0; e < kItemEdges / 32; ++e) columns[e] = load_streaming_if(edge + e * 32 < last, neighbours + e * 32, graph.cols());
}

/// The edges of a level's work items, kItemEdges at a time: calls f(columns, vertex), all lanes of a warp together, with the neighbours and the
/// input's number of the vertex that they are of.
template <typename F>
__device__ void for_each_item(const DeviceGraphView& graph, const WorkItem* queue, std::uint64_t first, std::uint64_t last, ItemSizes sizes, F&& f)
{
    for (std::uint64_t i = first + spread_index() / 32; i < last; i += index_stride() / 32) {
        const WorkItem item = queue[i];
        const ListPlace list = graph.lists[item.slot];
        const std::uint32_t vertex = graph.vertex_of_column[graph.column(graph.rank, item.slot)];
        const EdgeRange edges = edges_of(item, list, sizes);
        for (std::uint32_t edge = edges.first; edge < edges.last; edge += kItemEdges) {
            std::uint32_t columns[kItemEdges / 32];
            load_columns(graph, list, edge, edges.last, columns);
            f(columns, vertex);
        }
    }
}

/// One level over the items of `queue`; returns how many vertices it found, wherever they live. `seen`: see claim().
template <bool Alone>
__device__ LevelCounts top_down_level(const SearchView& view, std::uint32_t* seen, const WorkItem* queue, std::uint64_t items, ItemSizes sizes,
                                      std::int32_t level)
{
    LevelCounts counts;
    for_each_item(view.graph, queue, 0, items, sizes, [&](const std::uint32_t(&columns)[kItemEdges / 32], std::uint32_t vertex) {
        counts.vertices += claim<Alone>(view, seen, columns, vertex, level);
    });
    return counts;
}

/// Where this rank's part of a frontier stands, word by word. load() only reads, so that several words are in flight; take() follows, once for each
/// word: the frontier's word stands in own_frontier from then on, and counts as expanded.
struct FrontierWords
{
    FrontierAt at;
    const std::uint32_t* columns;  // a bitmap of all columns, where it stands there

    struct Loaded
    {
        std::uint32_t frontier = 0;
        std::uint32_t visited = 0;
        std::uint32_t expanded = 0;
    };

    [[nodiscard]] __device__ Loaded load(const SearchView& view, std::uint32_t w) const
    {
        Loaded loaded;
        if (at == FrontierAt::own_frontier) {
            loaded.frontier = view.own_frontier[w];
            return loaded;
        }
        loaded.visited = view.own().visited[w];
        if (at == FrontierAt::columns)
            loaded.frontier = columns[view.graph.column(view.graph.rank, w * 32) / 32];
        else
            loaded.expanded = view.expanded[w];
        return loaded;
    }

    __device__ std::uint32_t take(const SearchView& view, std::uint32_t w, const Loaded& loaded) const
    {
        if (at == FrontierAt::own_frontier) return loaded.frontier;
        const std::uint32_t word = at == FrontierAt::columns ? loaded.frontier : loaded.visited & ~loaded.expanded;
        if (at == FrontierAt::columns || word != 0) view.expanded[w] = loaded.visited;
        view.own_frontier[w] = word;
        return word;
    }
};

/// Calls f(w, the frontier's word w) for this rank's words from first_word on, all lanes of a warp together. The busiest slots stand together, so
/// neighbouring warps' words go to different blocks, and so do neighbouring words at the beginning. Pre: first_word is on a tile.
template <typename F>
__device__ void for_each_frontier_word(const SearchView& view, const FrontierWords& frontier, std::uint32_t first_word, F&& f)
{
    constexpr std::uint32_t in_flight = 4;
    const std::uint32_t words = view.graph.slot_stride / 32;
    const std::uint32_t dealt = first_word == 0 && 32 * gridDim.x <= words ? 32 * gridDim.x : 0;  // words that go to the blocks one by one
    const std::uint32_t stride = gridDim.x * blockDim.x;
    for (std::uint32_t i = first_word + static_cast<std::uint32_t>(spread_index()); i < words; i += in_flight * stride) {
        FrontierWords::Loaded loaded[in_flight];
        std::uint32_t at[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            at[k] = i + k * stride;
            if (at[k] < dealt) at[k] = at[k] % 32 * gridDim.x + at[k] / 32;
            if (at[k] < words) loaded[k] = frontier.load(view, at[k]);
        }
        std::uint32_t word[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) word[k] = at[k] < words ? frontier.take(view, at[k], loaded[k]) : 0;
#pragma unroll 1
        for (std::uint32_t k = 0; k < in_flight && i + k * stride < words; ++k) f(chosen(at, k), chosen(word, k));
    }
}

/// After a top-down level: moves this rank's part of the frontier into the bitmap `to` of all columns, and counts its vertices.
__device__ inline LevelCounts publish_frontier(const SearchView& view, const FrontierWords& frontier, int to)
{
    LevelCounts counts;
    for_each_frontier_word(view, frontier, 0, [&](std::uint32_t w, std::uint32_t word) {
        counts.vertices += static_cast<std::uint64_t>(__popc(word));
        publish_word(view, to, view.graph.column(view.graph.rank, w * 32) / 32, word);
    });
    return counts;
}

/// Shared memory of a block for FrontierSlots: slots of the frontier that each warp has come across.
struct ScanMemory
{
    static constexpr std::uint32_t kSlots = 1536;
    std::uint32_t slots[kSearchWarps][kSlots];
};

/// Counts a frontier's slots and their out-edges, and appends their items to a queue where there is one.
class FrontierSlots
{
public:
    /// `queue`: null for none; `size` is of its items.
    __device__ FrontierSlots(const SearchView& view, WorkItem* queue, std::uint64_t* size, ItemSizes sizes, ScanMemory& memory)
        : view_(view), queue_(queue), sizes_(sizes), size_(reinterpret_cast<unsigned long long*>(size)), slots_(memory.slots[threadIdx.x / 32])
    {
    }

    /// By the whole warp: a word of the frontier each lane.
    __device__ void add(std::uint32_t w, std::uint32_t word)
    {
        if (!__any_sync(kAllLanes, word != 0)) return;
        std::uint32_t total = 0;
        std::uint32_t place = count_ + warp_prefix(static_cast<std::uint32_t>(__popc(word)), total);
        for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
            slots_[place++] = w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
        count_ += total;
        if (count_ > ScanMemory::kSlots - 1024) flush();
    }

    /// By the whole warp, last.
    __device__ LevelCounts finish()
    {
        flush();
        return counts_;
    }

private:
    /// Counts what the warp has come across, and makes it into items.
    __device__ void flush()
    {
        constexpr std::uint32_t lane_slots = 4;
        __syncwarp();
        for (std::uint32_t from = 0; from < count_; from += 32 * lane_slots) {
            std::uint32_t slots[lane_slots];
            std::uint32_t pieces[lane_slots];
            std::uint32_t own_items = 0;
#pragma unroll
            for (std::uint32_t e = 0; e < lane_slots; ++e) {
                const std::uint32_t i = from + e * 32 + lane_id();
                slots[e] = i < count_ ? slots_[i] : 0;
                const std::uint32_t degree = i < count_ ? view_.graph.lists[slots[e]].degree() : 0;
                counts_.vertices += i < count_ ? 1 : 0;
                counts_.add_edges(degree, slots[e] >= view_.tail_slot);
                pieces[e] = item_count(degree, sizes_);
                own_items += pieces[e];
            }
            if (queue_ == nullptr) continue;
            std::uint32_t warp_items = 0;
            const std::uint32_t before = warp_prefix(own_items, warp_items);
            std::uint64_t base = 0;
            if (lane_id() == 0) base = atomicAdd(size_, static_cast<unsigned long long>(warp_items));
            std::uint64_t position = __shfl_sync(kAllLanes, base, 0) + before;
#pragma unroll 1
            for (std::uint32_t e = 0; e < lane_slots; ++e) {
                write_items(queue_, position, chosen(slots, e), chosen(pieces, e));
                position += chosen(pieces, e);
            }
        }
        __syncwarp();
        count_ = 0;
    }

    const SearchView& view_;
    WorkItem* queue_;
    ItemSizes sizes_;
    unsigned long long* size_;
    std::uint32_t* slots_;
    std::uint32_t count_ = 0;  // the same in all lanes
    LevelCounts counts_;       // of this lane's slots
};

/// Makes this rank's part of the frontier, from first_word on, into work items, and counts its vertices and their out-edges.
__device__ inline LevelCounts make_items(const SearchView& view, const FrontierWords& frontier, std::uint32_t first_word, WorkItem* queue,
                                         std::uint64_t* size, ItemSizes sizes, std::uint32_t* shared)
{
    FrontierSlots slots(view, queue, size, sizes, *reinterpret_cast<ScanMemory*>(shared));
    for_each_frontier_word(view, frontier, first_word, [&](std::uint32_t w, std::uint32_t word) { slots.add(w, word); });
    return slots.finish();
}

inline constexpr int kNowhere = -1;  // instead of a bitmap of all columns

/// Counts this rank's part of the frontier and its out-edges, and moves it into the bitmap `to` of all columns, or kNowhere.
__device__ inline LevelCounts survey_frontier(const SearchView& view, const FrontierWords& frontier, int to, std::uint32_t* shared)
{
    FrontierSlots slots(view, nullptr, nullptr, ItemSizes::one, *reinterpret_cast<ScanMemory*>(shared));
    for_each_frontier_word(view, frontier, 0, [&](std::uint32_t w, std::uint32_t word) {
        if (to != kNowhere) publish_word(view, to, view.graph.column(view.graph.rank, w * 32) / 32, word);
        slots.add(w, word);
    });
    return slots.finish();
}

/// The key becomes the frontier: this rank's own vertex in `slot`, number `vertex` of the input. Returns its counts.
__device__ inline LevelCounts visit_key(const SearchView& view, std::uint32_t slot, std::uint32_t vertex)
{
    const PeerState& own = view.own();
    const std::uint32_t bit = 1U << (slot % 32);
    own.visited[slot / 32] = bit;
    view.expanded[slot / 32] = bit;
    view.own_frontier[slot / 32] = bit;
    own.parents[slot] = vertex;
    if (view.keep_levels) own.levels[slot] = 0;
    LevelCounts counts{1};
    counts.add_edges(view.graph.lists[slot].degree(), slot >= view.tail_slot);
    return counts;
}

/// Parents and levels of the own slots that a search did not reach.
__device__ inline void mark_unreached(const SearchView& view)
{
    constexpr std::uint32_t in_flight = 4;
    const PeerState& own = view.own();
    const std::uint64_t words = view.graph.slot_stride / 32;
    for (std::uint64_t first = first_index(); first < words; first += in_flight * index_stride()) {
        std::uint32_t unreached[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k)
            unreached[k] = first + k * index_stride() < words ? ~own.visited[first + k * index_stride()] : 0;
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            for (std::uint32_t rest = unreached[k]; rest != 0; rest &= rest - 1) {
                const std::uint64_t slot = (first + k * index_stride()) * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
                own.parents[slot] = ~0U;
                if (view.keep_levels) own.levels[slot] = -1;
            }
        }
    }
}

}  // namespace wayfront::gpu
