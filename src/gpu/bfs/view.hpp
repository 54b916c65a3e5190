// What the kernels of searches work on: plain pointers and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/device_search.hpp"
#include "gpu/graph/device_graph.hpp"

namespace wayfront::gpu {

inline constexpr int kSearchThreads = 1024;  // of a block whose warps have shared memory of their own
inline constexpr int kSearchWarps = kSearchThreads / 32;
inline constexpr int kMaxPeers = 8;      // GPUs of one host that search together
inline constexpr int kCounterSlots = 4;  // counts of four consecutive barriers are in memory at a time
inline constexpr int kMaxRecords = 64;   // levels whose counts are kept for the report

// Edges of a work item of a top-down level. Of a level with many edges, long lists have larger ones: making the items of a hub's list would otherwise
// take as long as following it.
inline constexpr std::uint32_t kItemEdges = 128;
inline constexpr std::uint32_t kLongItemEdges = 1024;
inline constexpr std::uint32_t kLongList = 16 * kLongItemEdges;

/// The sizes of a level's items.
enum class ItemSizes { one, two };

[[nodiscard]] __host__ __device__ inline std::uint32_t item_edges(std::uint32_t degree, ItemSizes sizes)
{
    return sizes == ItemSizes::two && degree >= kLongList ? kLongItemEdges : kItemEdges;
}

/// Sums over a level: what the direction policy reads.
struct LevelCounts
{
    std::uint64_t vertices = 0;    // found
    std::uint64_t out_edges = 0;   // of these vertices, where they are counted
    std::uint64_t tail_edges = 0;  // of them, those of vertices behind the hubs

    __host__ __device__ void add_edges(std::uint32_t degree, bool tail)
    {
        out_edges += degree;
        tail_edges += tail ? degree : 0;
    }
};

/// A vertex that another rank's search found, and its parent. (On its way to the owner the stepped search names the vertex by its column.)
struct alignas(8) Ask
{
    static constexpr std::uint32_t kNone = ~0U;

    std::uint32_t target;  // its slot; kNone: none
    std::uint32_t vertex;  // the parent's number in the input
};

inline constexpr std::uint32_t kAskChunk = 128;  // places of a list of asks that a warp takes at a time

/// LevelCounts of one GPU at one barrier, on their way to another: each number above the lower bits of the barrier's.
struct CountsInWords
{
    unsigned long long words[3];
};

inline constexpr int kEpochBits = 16;  // which leaves 48 for counts of edges

/// The part of a rank's state that its peers read and write. Lives in one allocation, opened by all peers.
struct PeerState
{
    std::uint32_t* visited = nullptr;                 // own slots, bitmap
    std::uint32_t* frontier[2] = {nullptr, nullptr};  // all columns, bitmap, and a tile of zeros behind; see publish_word()
    std::uint32_t* parents = nullptr;                 // own slots: the input's numbers; ~0 where not reached
    std::int32_t* levels = nullptr;                   // own slots, where kept
    Ask* asks = nullptr;                              // a list of ask_capacity for each rank that asks
    std::uint32_t* ask_counts = nullptr;              // kMaxPeers: places that this rank has taken in its lists at others
    CountsInWords* inbox = nullptr;                   // kCounterSlots x kMaxPeers
};

/// A work item of a top-down level: item_edges() edges of the list of one slot.
struct alignas(8) WorkItem
{
    std::uint32_t slot;
    std::uint32_t piece;
};

/// The most items of a rank's part of a frontier: every vertex once, and one more for every kItemEdges edges.
[[nodiscard]] inline std::size_t queue_capacity(const DeviceGraphView& graph)
{
    return graph.slot_stride + graph.edges / kItemEdges + 1;
}

/// Of this GPU's barriers in the resident search. Each number has a cache line of its own, as blocks that wait read one while others arrive at the
/// other. The numbers wrap around. They begin just below that, so that the first search goes through it, but not before it has used every slot of the
/// inbox, which begins with zeros.
struct BarrierState
{
    static constexpr std::uint32_t kFirstEpoch = ~0U - kCounterSlots;

    alignas(128) std::uint32_t epoch = kFirstEpoch;   // barriers passed in all searches so far
    alignas(128) std::uint32_t arrived = 0;           // blocks, at all barriers so far: epoch times their number
    alignas(128) std::uint32_t passed = kFirstEpoch;  // the last barrier that blocks may leave
};

/// What a search's host side reads back.
struct SearchSummary
{
    std::uint32_t records = 0;  // levels that are recorded below
    std::uint64_t reached = 0;
    std::int32_t single_block_level = 0;  // how block 0 tells the others where it stopped
    std::uint64_t single_block_reached = 0;
    LevelCounts counts[kMaxRecords];         // of the frontier that level i starts from
    std::uint32_t bottom_up[kMaxRecords];    // 1: level i went bottom-up
    std::uint64_t nanoseconds[kMaxRecords];  // when level i began
    std::uint64_t end_nanoseconds = 0;       // when the last level ended
};

/// How rows look for the frontier in a bottom-up level.
enum class BottomUpWay {
    all,
    few_rows,  // few are unvisited: large batches, and no bits in shared memory
    hubs,      // for the hubs alone; the tail has been followed top-down, and what is visited and not expanded belongs to the next frontier
};

/// Which way levels go, and how.
struct DirectionRule
{
    DeviceSearchOptions options;
    std::uint64_t connected = 0;  // vertices with edges

    static constexpr std::uint64_t kFewVertices = 2048;  // of a frontier: few()
    static constexpr std::uint64_t kFewRowsPart = 32;    // few rows are unvisited: at most one of so many, a word of a bitmap

    /// Whether the tail of a frontier is worth following top-down, so that rows look for hubs alone.
    [[nodiscard]] __host__ __device__ bool splits(const LevelCounts& frontier) const
    {
        return static_cast<double>(frontier.out_edges) <= options.most_split_edges &&
               static_cast<double>(frontier.tail_edges) <= options.most_tail_edges;
    }

    /// `reached`: vertices, the frontier's too.
    [[nodiscard]] __host__ __device__ BottomUpWay bottom_up_way(bool split, std::uint64_t reached) const
    {
        if (split) return BottomUpWay::hubs;
        return kFewRowsPart * (connected - reached) <= connected ? BottomUpWay::few_rows : BottomUpWay::all;
    }

    /// Whether a frontier is so small that making work items of it costs no more than counting its out-edges.
    [[nodiscard]] __host__ __device__ static bool few(std::uint64_t vertices) { return vertices <= kFewVertices; }

    /// Of items of so many edges, a rank's part of a frontier.
    [[nodiscard]] __host__ __device__ ItemSizes item_sizes(std::uint64_t edges) const
    {
        return edges >= options.large_items_from ? ItemSizes::two : ItemSizes::one;
    }

    /// Whether the out-edges of a frontier of so many vertices are what its direction depends on.
    [[nodiscard]] __host__ __device__ bool asks_edges(bool last_bottom_up, std::uint64_t vertices) const
    {
        return options.forced_direction == 0 && !last_bottom_up && static_cast<double>(vertices) <= options.bottom_up_from_vertices;
    }

    /// The direction of the next level; `frontier.out_edges` are known where asks_edges() says so.
    [[nodiscard]] __host__ __device__ bool bottom_up(bool last_bottom_up, const LevelCounts& frontier) const
    {
        if (options.forced_direction != 0) return options.forced_direction == 2;
        if (last_bottom_up) return static_cast<double>(frontier.vertices) >= options.top_down_below_vertices;
        return !asks_edges(last_bottom_up, frontier.vertices) || static_cast<double>(frontier.out_edges) > options.bottom_up_from_edges;
    }
};

/// Where this rank's part of a frontier stands.
enum class FrontierAt {
    own_frontier,   // it has been taken from where a level left it (FrontierWords)
    newly_visited,  // the difference between `visited` and `expanded`, after a top-down level
    columns,        // this rank's part of the bitmap of all columns, after a bottom-up level
};

/// What of a frontier a level takes.
enum class FrontierPart {
    all,
    hubs,
    tail,  // all but the hubs
};

/// The key of a search, as a rank sees it.
struct SearchKey
{
    static constexpr std::uint32_t kElsewhere = ~0U;

    std::uint32_t local = kElsewhere;  // its local number on its owner, kElsewhere on other ranks
    std::uint32_t vertex = 0;          // its number in the input

    [[nodiscard]] static SearchKey of(Vertex key, const DeviceGraphView& graph)
    {
        const bool own = key % static_cast<Vertex>(graph.ranks) == static_cast<Vertex>(graph.rank);
        return {own ? static_cast<std::uint32_t>(key / static_cast<Vertex>(graph.ranks)) : kElsewhere, static_cast<std::uint32_t>(key)};
    }
};

/// What the kernels of a search are given. All that it points at belongs to the search or its graph, on this GPU but for the peers' states.
struct SearchView
{
    DeviceGraphView graph;
    PeerState peers[kMaxPeers];             // whose memory kernels write to; by rank in the resident search, only its own in the stepped one
    std::uint32_t peer_count = 1;           // of them
    std::uint32_t me = 0;                   // this rank's own state among them
    std::uint32_t* expanded = nullptr;      // own slots, bitmap: visited, but for the frontier (after top-down levels)
    std::uint32_t* own_frontier = nullptr;  // own slots, bitmap: the frontier, once it is taken (FrontierWords)
    WorkItem* queue[2] = {nullptr, nullptr};
    std::uint64_t* queue_size = nullptr;    // kCounterSlots in the resident search, one in the stepped one
    LevelCounts* counters = nullptr;        // likewise
    std::int32_t* result = nullptr;         // graph.local_count: parents in the order of local numbers
    std::int32_t* result_levels = nullptr;  // the same of levels, where kept
    SearchSummary* summary = nullptr;       // of the resident search
    BarrierState* barrier = nullptr;        // likewise
    DirectionRule rule;
    std::uint32_t ask_capacity = 0;  // asks of one rank that fit another's memory
    std::uint32_t zero = 0;          // and the compiler does not know it: see bits.cuh
    std::uint32_t hub_words = 0;     // of a bitmap of all columns, as many as fit shared memory: the hubs' (set_shared_memory())
    std::size_t shared_bytes = 0;    // of a block
    std::uint32_t tail_slot = 0;     // the first own slot behind the hubs; slot_stride where there is none
    bool keep_levels = false;

    [[nodiscard]] __host__ __device__ const PeerState& own() const { return peers[me]; }

    /// Whether a bottom-up level from this frontier, whose out-edges are known, looks for hubs alone.
    [[nodiscard]] __host__ __device__ bool splits(const LevelCounts& frontier) const
    {
        return hub_words * 32 < graph.cols() && rule.splits(frontier);
    }
};

}  // namespace wayfront::gpu
