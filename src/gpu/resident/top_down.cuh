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
#include "gpu/resident/bits.cuh"
#include "gpu/resident/hubs.cuh"
#include "gpu/resident/view.hpp"
#include "gpu/resident/warp_prefix.cuh"

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
    for (std::uint32_t many = __ballot_sync(~0U, pieces > 1); many != 0; many &= many - 1) {
        const int lane = __ffs(static_cast<int>(many)) - 1;
        const std::uint32_t lane_slot = __shfl_sync(~0U, slot, lane);
        const std::uint32_t lane_pieces = __shfl_sync(~0U, pieces, lane);
        const std::uint64_t first = __shfl_sync(~0U, position, lane);
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

/// Bits of all columns that keep a GPU from claiming a vertex twice: one is set only where the vertex is visited.
struct SeenBits
{
    std::uint32_t* all;       // this GPU's; with one GPU the bitmap of visited slots itself
    std::uint32_t* hubs;      // the block's, in shared memory: of the first hub_words words, at least what `all` had when the level began
    std::uint32_t hub_words;  // 0: none

    /// Where word w stands.
    [[nodiscard]] __device__ const std::uint32_t* word(std::uint32_t w) const { return w < hub_words ? &hubs[w] : &all[w]; }

    /// Sets bits[e] of words columns[e] / 32; keeps of them those that nobody had set.
    template <int Count>
    __device__ void set(const ResidentView& view, const std::uint32_t (&columns)[Count], std::uint32_t (&bits)[Count]) const
    {
        std::uint32_t before[Count] = {};
#pragma unroll
        for (int e = 0; e < Count; ++e)
            if (columns[e] / 32 < hub_words && bits[e] != 0) before[e] = atomicOr(&hubs[columns[e] / 32], bits[e]);
        keep_new(view, before, bits);
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            before[e] = 0;
            if (bits[e] != 0) before[e] = atomicOr(&all[columns[e] / 32], bits[e]);
        }
        keep_new(view, before, bits);
    }

    template <int Count>
    __device__ static void keep_new(const ResidentView& view, std::uint32_t (&before)[Count], std::uint32_t (&bits)[Count])
    {
        wait_for_all(before, view.zero);
#pragma unroll
        for (int e = 0; e < Count; ++e) bits[e] &= ~before[e];
    }
};

/// A warp's asks on their way to other GPUs' memory, where it takes kAskChunk places of a list at a time.
class AskWriter
{
public:
    /// Places of the lists that the warp has taken; in shared memory, one for each rank.
    struct Places
    {
        std::uint32_t next;
        std::uint32_t end;
    };

    /// `places` null: no asks are written, vertices are claimed at once where they live.
    __device__ AskWriter(const ResidentView& view, Places* places) : view_(view), places_(places)
    {
        if (places_ == nullptr) return;
        if (lane_id() < view.graph.ranks) places_[lane_id()] = {0, 0};
        __syncwarp();
    }

    [[nodiscard]] __device__ bool writes() const { return places_ != nullptr; }

    /// By the whole warp: the first of `count` places in rank r's list, at most kAskChunk; capacity where it is full.
    __device__ std::uint32_t take(std::uint32_t r, std::uint32_t count)
    {
        const Places places = places_[r];
        std::uint32_t first = places.next;
        std::uint32_t end = places.end;
        if (first + count > end) {
            fill(r, places);
            first = 0;
            if (lane_id() == 0) first = atomicAdd(&view_.own().ask_counts[r], kAskChunk);
            first = __shfl_sync(~0U, first, 0);
            end = first + kAskChunk;
            if (end > view_.ask_capacity) {
                first = view_.ask_capacity;
                end = first;
                count = 0;
            }
        }
        __syncwarp();
        if (lane_id() == 0) places_[r] = {first + count, end};
        __syncwarp();
        return first;
    }

    __device__ void write(std::uint32_t r, std::uint32_t place, Ask ask) const
    {
        view_.peers[r].asks[view_.graph.rank * view_.ask_capacity + place] = ask;
    }

    /// By the whole warp, last.
    __device__ void finish()
    {
        if (places_ == nullptr) return;
        for (std::uint32_t r = 0; r < view_.graph.ranks; ++r) fill(r, places_[r]);
    }

private:
    /// Places that are left over ask for nothing.
    __device__ void fill(std::uint32_t r, Places places) const
    {
        for (std::uint32_t i = places.next + lane_id(); i < places.end; i += 32) write(r, i, {Ask::kNone, 0});
    }

    const ResidentView& view_;
    Places* places_;
};

/// Claims a vertex in its owner's memory; returns whether this thread was first.
__device__ inline bool claim_one(const ResidentView& view, std::uint32_t column, std::uint32_t vertex, std::int32_t level)
{
    const PeerState& owner = view.peers[view.graph.owner_of(column)];
    const std::uint32_t slot = view.graph.slot_of(column);
    const std::uint32_t bit = 1U << (slot % 32);
    if ((atomicOr_system(&owner.visited[slot / 32], bit) & bit) != 0) return false;
    owner.parents[slot] = vertex;
    if (view.keep_levels) owner.levels[slot] = level;
    return true;
}

/// Asks the owners for vertices that this GPU was the warp's first to see: `asks[e]` of the lanes' columns. Returns how many were claimed after all,
/// where a list was full. All lanes call.
template <int Count>
__device__ std::uint32_t ask(const ResidentView& view, AskWriter& writer, const bool (&asks)[Count], const std::uint32_t (&columns)[Count],
                             std::uint32_t vertex, std::int32_t level)
{
    const DeviceGraphView& graph = view.graph;
    std::uint32_t found = 0;
    for (std::uint32_t r = 0; r < graph.ranks; ++r) {
        std::uint32_t lanes[Count];
        std::uint32_t total = 0;
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            lanes[e] = __ballot_sync(~0U, asks[e] && graph.owner_of(columns[e]) == r);
            total += static_cast<std::uint32_t>(__popc(lanes[e]));
        }
        if (total == 0) continue;
        std::uint32_t place = writer.take(r, total);
        const bool full = place == view.ask_capacity;
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            if (((lanes[e] >> lane_id()) & 1U) != 0) {
                if (full)
                    found += claim_one(view, columns[e], vertex, level) ? 1 : 0;
                else
                    writer.write(r, place + static_cast<std::uint32_t>(__popc(lanes[e] & ((1U << lane_id()) - 1))),
                                 {graph.slot_of(columns[e]), vertex});
            }
            place += static_cast<std::uint32_t>(__popc(lanes[e]));
        }
    }
    return found;
}

/// Claims neighbours of `vertex` (the input's number), one column a lane and set or none (cols()), in their owners' memory, or asks for those of
/// other GPUs. Returns how many this thread was first to claim. A list begins with the busiest columns, which all lists have in common: lanes whose
/// columns share a word claim them with one atomic, or the hubs' words would be the level's bottleneck. All accesses of one kind are in flight
/// together. All lanes call. `Alone`: there is one GPU, and the bits of `seen` are those of the visited slots.
template <bool Alone, int Count>
__device__ std::uint32_t claim(const ResidentView& view, const SeenBits& seen, AskWriter& writer, const std::uint32_t (&columns)[Count],
                               std::uint32_t vertex, std::int32_t level)
{
    const DeviceGraphView& graph = view.graph;
    const bool asking = !Alone && writer.writes();
    // A look at the cached words, which may be out of date: a set bit is true, an unset one is asked for again.
    std::uint32_t words[Count];
#pragma unroll
    for (int e = 0; e < Count; ++e) words[e] = *seen.word(columns[e] != graph.cols() ? columns[e] / 32 : 0);
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
    seen.set(view, columns, claimed);
    if constexpr (!Alone) {
        std::uint32_t before[Count] = {};
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            const std::uint32_t owner = graph.owner_of(columns[e]);
            if (claimed[e] == 0 || (asking && owner != graph.rank)) continue;
            before[e] = atomicOr_system(&view.peers[owner].visited[graph.slot_of(columns[e]) / 32], claimed[e]);
        }
        SeenBits::keep_new(view, before, claimed);
    }
    std::uint32_t found = 0;
    bool asks[Count];
    bool some_ask = false;
#pragma unroll
    for (int e = 0; e < Count; ++e) {
        const std::uint32_t word = __shfl_sync(~0U, claimed[e], heads[e]);
        const bool first = open[e] && is_set(word, columns[e]);
        asks[e] = asking && first && graph.owner_of(columns[e]) != graph.rank;
        some_ask = some_ask || asks[e];
        if (!first || asks[e]) continue;
        const std::uint32_t slot = Alone ? columns[e] : graph.slot_of(columns[e]);
        const PeerState& owner = view.peers[Alone ? 0 : graph.owner_of(columns[e])];
        owner.parents[slot] = vertex;
        if (view.keep_levels) owner.levels[slot] = level;
        ++found;
    }
    if (!Alone && __any_sync(~0U, some_ask)) found += ask(view, writer, asks, columns, vertex, level);
    return found;
}

/// How a top-down level of so many edges goes about them, the same on all GPUs.
struct TopDownWay
{
    bool hubs = false;  // blocks look at the hubs' bits in shared memory; bringing them there takes about 10 us
    bool asks = false;  // other GPUs' vertices are asked for, and claimed by their owners in answer_asks(), after a barrier

    __device__ TopDownWay(const ResidentView& view, std::uint64_t edges)
        : hubs(edges >= view.graph.ranks * view.rule.many_edges), asks(view.graph.ranks > 1 && hubs)
    {
    }
};

/// Shared memory of a block for top-down levels behind the hubs' bits.
struct TopDownMemory
{
    AskWriter::Places places[32][kMaxPeers];
};

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

/// kItemEdges edges of a list from `first` on, as many a lane as claim() takes; cols() from `last` on.
__device__ inline void load_columns(const DeviceGraphView& graph, const ListPlace& list, std::uint32_t first, std::uint32_t last,
                                    std::uint32_t (&columns)[kItemEdges / 32])
{
#pragma unroll
    for (std::uint32_t e = 0; e < kItemEdges / 32; ++e) {
        const std::uint32_t edge = first + e * 32 + lane_id();
        columns[e] = edge < last ? __ldcs(graph.neighbours + list.begin() + edge) : graph.cols();
    }
}

/// One level over the items of `queue`; returns how many vertices it found, wherever they live, but for those that were asked for. `all_seen`: see
/// SeenBits.
template <bool Alone>
__device__ LevelCounts top_down_level(const ResidentView& view, std::uint32_t* all_seen, const WorkItem* queue, std::uint64_t items, ItemSizes sizes,
                                      std::int32_t level, TopDownWay way, std::uint32_t* shared)
{
    const DeviceGraphView& graph = view.graph;
    if (way.hubs) load_hubs(view, all_seen, shared);
    const SeenBits seen{all_seen, shared, way.hubs ? view.hub_words : 0};
    auto& memory = *reinterpret_cast<TopDownMemory*>(shared + view.hub_words);
    AskWriter writer(view, way.asks ? memory.places[threadIdx.x / 32] : nullptr);
    LevelCounts counts;
    for (std::uint64_t i = spread_index() / 32; i < items; i += index_stride() / 32) {
        const WorkItem item = queue[i];
        const ListPlace list = graph.lists[item.slot];
        const std::uint32_t vertex = graph.vertex_of_column[graph.column(graph.rank, item.slot)];
        const EdgeRange edges = edges_of(item, list, sizes);
        for (std::uint32_t edge = edges.first; edge < edges.last; edge += kItemEdges) {
            std::uint32_t columns[kItemEdges / 32];
            load_columns(graph, list, edge, edges.last, columns);
            counts.vertices += claim<Alone>(view, seen, writer, columns, vertex, level);
        }
    }
    writer.finish();
    return counts;
}

/// Claims own vertices that other GPUs asked for in this level; returns how many.
__device__ inline LevelCounts answer_asks(const ResidentView& view, std::int32_t level)
{
    constexpr std::uint32_t in_flight = 4;
    __shared__ std::uint32_t counts_of[kMaxPeers];
    const std::uint32_t ranks = view.graph.ranks;
    const std::uint32_t me = view.graph.rank;
    if (threadIdx.x < ranks) {
        const std::uint32_t written = *static_cast<const volatile std::uint32_t*>(&view.peers[threadIdx.x].ask_counts[me]);
        counts_of[threadIdx.x] = written < view.ask_capacity ? written : view.ask_capacity;
    }
    __syncthreads();
    const PeerState& own = view.own();
    LevelCounts counts;
    for (std::uint32_t p = 1; p < ranks; ++p) {
        const std::uint32_t from = (me + p) % ranks;
        const auto* const asks = reinterpret_cast<const uint2*>(own.asks + from * view.ask_capacity);
        const std::uint64_t count = counts_of[from];
        for (std::uint64_t i = first_index(); i < count; i += in_flight * index_stride()) {
            uint2 ask[in_flight];  // an Ask each; read from where the other GPU wrote it
            bool open[in_flight];
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k)
                ask[k] = i + k * index_stride() < count ? __ldcg(asks + i + k * index_stride()) : uint2{Ask::kNone, 0};
            std::uint32_t words[in_flight];
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k) words[k] = ask[k].x != Ask::kNone ? __ldcg(&own.visited[ask[k].x / 32]) : ~0U;
            wait_for_all(words, view.zero);
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k) {
                open[k] = !is_set(words[k], ask[k].x);
                if (open[k]) words[k] = atomicOr(&own.visited[ask[k].x / 32], 1U << (ask[k].x % 32));
            }
            wait_for_all(words, view.zero);
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k) open[k] = open[k] && !is_set(words[k], ask[k].x);
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k) {
                if (!open[k]) continue;
                own.parents[ask[k].x] = ask[k].y;
                if (view.keep_levels) own.levels[ask[k].x] = level;
                ++counts.vertices;
            }
        }
    }
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

    [[nodiscard]] __device__ Loaded load(const ResidentView& view, std::uint32_t w) const
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

    __device__ std::uint32_t take(const ResidentView& view, std::uint32_t w, const Loaded& loaded) const
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
__device__ void for_each_frontier_word(const ResidentView& view, const FrontierWords& frontier, std::uint32_t first_word, F&& f)
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
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            if (i + k * stride >= words) break;
            f(at[k], frontier.take(view, at[k], loaded[k]));
        }
    }
}

/// After a top-down level: moves this rank's part of the frontier into every peer's copy.
__device__ inline void publish_frontier(const ResidentView& view, const FrontierWords& frontier, int to)
{
    for_each_frontier_word(view, frontier, 0, [&](std::uint32_t w, std::uint32_t word) {
        const std::uint32_t place = view.graph.column(view.graph.rank, w * 32) / 32;
        for (std::uint32_t p = 0; p < view.peer_count; ++p) view.peers[(view.me + p) % view.peer_count].frontier[to][place] = word;
    });
}

/// Counts this rank's part of the frontier and its out-edges, and copies it to `published` (this rank's part of a bitmap of all columns) where that
/// is not null.
__device__ inline LevelCounts survey_frontier(const ResidentView& view, const FrontierWords& frontier, std::uint32_t* published)
{
    constexpr int in_flight = 4;
    LevelCounts counts;
    for_each_frontier_word(view, frontier, 0, [&](std::uint32_t w, std::uint32_t word) {
        if (published != nullptr) published[view.graph.column(view.graph.rank, w * 32) / 32] = word;
        counts.vertices += static_cast<std::uint64_t>(__popc(word));
        for (std::uint32_t rest = word; rest != 0;) {
            std::uint32_t degrees[in_flight];
#pragma unroll
            for (int i = 0; i < in_flight; ++i) {
                const std::uint64_t slot = std::uint64_t{w} * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
                degrees[i] = rest != 0 ? view.graph.lists[slot].degree() : 0;
                rest &= rest - 1;
            }
#pragma unroll
            for (int i = 0; i < in_flight; ++i) counts.add_edges(degrees[i], w * 32 >= view.tail_slot);
        }
    });
    return counts;
}

/// Shared memory of make_items: slots of the frontier that a warp has come across.
struct ScanMemory
{
    static constexpr std::uint32_t kSlots = 1536;
    std::uint32_t slots[32][kSlots];
};

/// Appends the items of a frontier's slots to a queue, and counts what they are.
class ItemWriter
{
public:
    __device__ ItemWriter(const ResidentView& view, WorkItem* queue, std::uint64_t* size, ItemSizes sizes, ScanMemory& memory)
        : view_(view), queue_(queue), sizes_(sizes), size_(reinterpret_cast<unsigned long long*>(size)), slots_(memory.slots[threadIdx.x / 32])
    {
    }

    /// By the whole warp: a word of the frontier each lane.
    __device__ void add(std::uint32_t w, std::uint32_t word)
    {
        if (!__any_sync(~0U, word != 0)) return;
        std::uint32_t total = 0;
        std::uint32_t place = count_ + warp_prefix(static_cast<std::uint32_t>(__popc(word)), total);
        for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
            slots_[place++] = w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
        count_ += total;
        if (count_ > ScanMemory::kSlots - 1024) write();
    }

    /// By the whole warp, last: writes what it has come across.
    __device__ LevelCounts finish()
    {
        write();
        return counts_;
    }

private:
    __device__ void write()
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
            std::uint32_t warp_items = 0;
            const std::uint32_t before = warp_prefix(own_items, warp_items);
            std::uint64_t base = 0;
            if (lane_id() == 0) base = atomicAdd(size_, static_cast<unsigned long long>(warp_items));
            std::uint64_t position = __shfl_sync(~0U, base, 0) + before;
#pragma unroll
            for (std::uint32_t e = 0; e < lane_slots; ++e) {
                write_items(queue_, position, slots[e], pieces[e]);
                position += pieces[e];
            }
        }
        __syncwarp();
        count_ = 0;
    }

    const ResidentView& view_;
    WorkItem* queue_;
    ItemSizes sizes_;
    unsigned long long* size_;
    std::uint32_t* slots_;
    std::uint32_t count_ = 0;  // the same in all lanes
    LevelCounts counts_;       // of this lane's slots
};

/// Makes this rank's part of the frontier, from first_word on, into work items, and counts its vertices and their out-edges. Pre: at most 1024
/// threads a block.
__device__ inline LevelCounts make_items(const ResidentView& view, const FrontierWords& frontier, std::uint32_t first_word, WorkItem* queue,
                                         std::uint64_t* size, ItemSizes sizes, std::uint32_t* shared)
{
    ItemWriter writer(view, queue, size, sizes, *reinterpret_cast<ScanMemory*>(shared));
    for_each_frontier_word(view, frontier, first_word, [&](std::uint32_t w, std::uint32_t word) { writer.add(w, word); });
    return writer.finish();
}

/// Parents and levels of the own slots that a search did not reach.
__device__ inline void mark_unreached(const ResidentView& view)
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
