// The arguments of the kernels of searches for shortest paths by pushes and pulls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/search_sources.hpp"

namespace wayfront::gpu::sssp {

/// How a GPU reaches the vertices that other GPUs own.
enum class Reach {
    alone,    // there are none
    peers,    // the kernels of a host's GPUs, which run at once, read and write each other's memory
    messages  // the hosts launch the steps of a search, between which the GPUs exchange messages
};

/// The counts of the threads between two barriers.
struct SsspCounts
{
    std::uint64_t nearest = 0;  // the smallest distance of interest, see the steps
    // Arcs of vertices that a push reached for the first time, or vertices that a pull left open.
    std::uint64_t found = 0;
    // Arcs that a push relaxed, or vertices whose distance became smaller in a pull, or vertices to
    // which single ones offered paths. On several GPUs, of a push: the vertices that it improved.
    std::uint64_t work = 0;

    static WAYFRONT_HD constexpr WordReduction reduction(int word)
    {
        return word == 0 ? WordReduction::minimum : WordReduction::sum;
    }
    [[nodiscard]] static WAYFRONT_HD constexpr SsspCounts none()
    {
        return {(std::uint64_t{1} << kCountBits) - 1, 0, 0};
    }
};

/// The steps of a search.
enum class SsspStep : std::uint32_t {
    rounds,  // the vertices that the last round improved relax their arcs below the limit
    // The limit has grown: all reached vertices go on where they stopped in their lists.
    window,
    settle,      // the results of pushes are written to the places where pulls read them
    pull,        // every vertex that is not settled looks for its best arc
    pull_again,  // the same for the vertices that may still improve
    push_again,  // the few vertices that the last step improved relax all their arcs
    near_far     // the whole search by near-far
};

[[nodiscard]] constexpr const char* step_name(SsspStep step)
{
    constexpr const char* names[] = {"rounds", "window", "settle", "pull", "pull again", "push again", "near-far"};
    return names[static_cast<std::size_t>(step)];
}

/// The record of a search. Times are in nanoseconds, but steps begin at ticks of a clock.
struct SsspSummary
{
    static constexpr std::uint32_t kMostRecords = 1024;
    struct Record
    {
        std::int64_t begin;
        SsspStep step;
        std::uint32_t vertices;  // that the step began with
    };

    std::uint64_t relaxed_arcs;  // that pushes looked at
    std::uint64_t pulled_arcs;   // that pulls looked at
    std::uint64_t begin, end;
    std::int64_t first_tick, last_tick;  // at these times
    std::uint32_t reached;               // vertices with edges
    std::uint32_t steps;
    std::uint32_t overflow;  // not 0 if a distance does not fit 32 bits
    // Reached vertices for which near-far found no parent nearer to the source.
    std::uint32_t without_parent;
    std::uint32_t most_rounds;     // of a block in near-far
    Record records[kMostRecords];  // of the first steps
};

/// The sizes of lists, in device memory; 0 between searches.
struct SsspSizes
{
    alignas(128) std::uint32_t reached;
    alignas(128) std::uint32_t near;  // vertices that are nearer than all vertices of large degree
    // The vertices that take the paths that single vertices have offered to them in the last round,
    // by the number of the round modulo 3.
    alignas(128) std::uint32_t offered[3];
    // The sizes of the list that the last step filled and of the list that this step fills. The
    // third one is cleared meanwhile.
    alignas(128) std::uint32_t waiting[3];
    // The same of the frontiers, on several GPUs. On one GPU, the barrier counts them.
    alignas(128) std::uint32_t frontier[3];

    WAYFRONT_HD void clear()
    {
        reached = 0;
        near = 0;
        for (int i = 0; i < 3; ++i) offered[i] = waiting[i] = frontier[i] = 0;
    }
};

/// The bounds of a vertex's distance. The upper bound is the length of the shortest path found.
struct DistanceBounds
{
    std::uint32_t upper;
    std::uint32_t lower;
};

/// The bounds in memory: a final distance has its parent in place of the lower bound, so that both
/// are read at once. If a vertex was not final when it got its distance, its parent is in another
/// array. As long as nothing is known of the vertex, the bounds are kUnknown and a LightestArcs.
struct alignas(8) StoredBounds
{
    std::uint32_t upper;
    std::uint32_t second;  // 2 parent + 1, or kParentElsewhere, or an even lower bound; or LightestArcs

    // For a final distance whose parent is in the other array.
    static constexpr std::uint32_t kParentElsewhere = ~0U;

    [[nodiscard]] static WAYFRONT_HD constexpr StoredBounds final(std::uint32_t distance, std::uint32_t parent)
    {
        return {distance, parent << 1 | 1};
    }
    /// The lower bound is rounded down.
    [[nodiscard]] static WAYFRONT_HD constexpr StoredBounds open(std::uint32_t upper, std::uint32_t lower)
    {
        return {upper, lower & ~1U};
    }

    [[nodiscard]] WAYFRONT_HD constexpr bool is_final() const { return (second & 1) != 0; }
    [[nodiscard]] WAYFRONT_HD constexpr bool has_parent() const { return is_final() && second != kParentElsewhere; }
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t parent() const { return second >> 1; }
    [[nodiscard]] WAYFRONT_HD constexpr DistanceBounds bounds() const { return {upper, is_final() ? upper : second}; }
};

/// A vertex that pulls may still improve, with the few arcs that may improve it: one sector of
/// memory.
struct alignas(32) OpenVertex
{
    static constexpr std::uint32_t kArcs = 3;

    std::uint32_t slot;
    std::uint32_t distance;
    Arc arcs[kArcs];  // missing arcs have infinite weight
};

/// The only arc to a vertex, read as a whole when results are written. If there is none, it has
/// infinite weight and leads from the vertex itself.
struct alignas(16) Leaf
{
    Arc arc;
    std::uint32_t parent;  // the input's number of the arc's end
};

/// The state of a vertex during pushes, in one sector of memory.
struct alignas(32) PushState
{
    static constexpr std::uint64_t kNothing = ~std::uint64_t{0};
    static constexpr std::uint64_t kQueued = 1;

    /// The shortest path: distance << 32 | parent << 1, and kQueued while the vertex is in a frontier
    /// and was not visited. kNothing if not reached, and between searches. During pulls, the
    /// shortest path that was offered and not taken yet, or kNothing (single_vertices.cuh).
    std::uint64_t best;
    /// distance << 32 | place: with this distance the arcs before the place are relaxed. kNothing
    /// before the first visit, and between searches.
    std::uint64_t progress;
    // For visited vertices, the distance at the end of the next arc; 0 if there is none.
    std::uint32_t next_reach;

    /// A path that queues the vertex. Those of smaller distances are smaller.
    [[nodiscard]] static WAYFRONT_HD constexpr std::uint64_t path(std::uint32_t distance, std::uint32_t parent)
    {
        return std::uint64_t{distance} << 32 | parent << 1 | kQueued;
    }
    [[nodiscard]] static WAYFRONT_HD constexpr std::uint32_t distance_of(std::uint64_t path)
    {
        return static_cast<std::uint32_t>(path >> 32);
    }
    [[nodiscard]] static WAYFRONT_HD constexpr std::uint32_t parent_of(std::uint64_t path)
    {
        return static_cast<std::uint32_t>(path) >> 1;
    }
    [[nodiscard]] static WAYFRONT_HD constexpr bool is_queued(std::uint64_t path)
    {
        return (path & kQueued) != 0 && path != kNothing;
    }
};

/// The smallest distance of none.
inline constexpr std::uint64_t kNoDistance = SsspCounts::none().nearest;

/// The progress of pushes, over all GPUs.
struct PushProgress
{
    std::uint64_t nearest;       // the distance at the end of the nearest arc beyond the limit
    std::uint64_t settled_arcs;  // of all vertices reached
    std::uint64_t work;          // arcs relaxed by the last step; on one GPU only
    std::uint32_t size;          // of the frontier; if GPUs send messages, a vertex may count twice
    std::uint32_t most;          // of the frontiers of this window
    std::uint32_t window;        // its number
    std::uint32_t limit;         // distances below are final when a window ends
    std::uint32_t round;
    std::uint32_t steps;

    // The next window begins at a round that is so many times smaller than the largest of the window.
    static constexpr std::uint32_t kTail = 8;

    /// Before the first round, whose frontier is the sources that have edges.
    [[nodiscard]] static WAYFRONT_HD constexpr PushProgress of_source(std::uint32_t size, std::uint32_t limit)
    {
        return {.nearest = kNoDistance,
                .settled_arcs = 0,
                .work = 0,
                .size = size,
                .most = size > 1 ? size : 1,
                .window = 0,
                .limit = limit,
                .round = 1,
                .steps = 0};
    }

    /// Whether no window follows this one. `pull_from`: the number of settled arcs from which on
    /// vertices pull.
    [[nodiscard]] WAYFRONT_HD constexpr bool is_last_window(std::uint64_t pull_from) const
    {
        return nearest == kNoDistance || settled_arcs >= pull_from;
    }
    [[nodiscard]] WAYFRONT_HD constexpr bool ends(std::uint64_t pull_from) const
    {
        return size == 0 && is_last_window(pull_from);
    }
    /// Whether the next window begins with the next step. When a round improves few vertices in
    /// comparison with the largest one of its window, it begins at once: rounds of a few vertices take
    /// as long as those of thousands.
    [[nodiscard]] WAYFRONT_HD constexpr bool widens(std::uint64_t pull_from) const
    {
        return !is_last_window(pull_from) && std::uint64_t{size} * kTail < most;
    }

    /// Begins the next window, which ends at `end`.
    WAYFRONT_HD constexpr void widen(std::uint32_t end)
    {
        limit = end;
        nearest = kNoDistance;
        most = 1;
        ++window;
    }

    /// The end of a step; `improved` vertices are in the next frontier.
    WAYFRONT_HD constexpr void pass(const SsspCounts& counts, std::uint32_t improved)
    {
        nearest = counts.nearest < nearest ? counts.nearest : nearest;
        settled_arcs += counts.found;
        work = counts.work;
        size = improved;
        most = improved > most ? improved : most;
        ++round;
    }
};

/// The memory of one GPU that the kernels of all GPUs read and write.
struct SsspPeer
{
    // Of all vertices but leaves, by column. They are cleared after each search (clear_bounds());
    // near-far has its distances here. After pushes, the owner of a vertex stores its bounds on
    // every GPU. LightestArcs do not change.
    StoredBounds* bounds = nullptr;
    std::uint32_t* lightest = nullptr;  // words of LightestArcs

    // Of the GPU's own vertices, by slot. Parents are columns.
    std::uint32_t* parents = nullptr;  // of vertices whose bounds do not contain them
    PushState* pushed = nullptr;

    std::uint32_t* frontiers[2] = {};  // lists of slots: vertices that a round improved
    SsspSizes* sizes = nullptr;
};

/// Neighbouring slots.
struct SlotRange
{
    std::uint32_t first;
    std::uint32_t end;
};

/// The counts of a block's lists in pulls, which are pull_counts between the launches of its passes.
struct PullCounts
{
    // Numbers of vertices. Of the last pass and of this one:
    std::uint32_t open[2];
    std::uint32_t listed[2];
    std::uint32_t unfinished;
    std::uint32_t improved;  // by this pass, unless it is the first one
};

/// What the other GPUs do not know of a vertex: bits.
struct ChangeMark
{
    static constexpr std::uint32_t kClosed = 1;    // its bounds are equal
    static constexpr std::uint32_t kDistance = 2;  // its upper bound
};

/// What a GPU keeps between the steps of a search if GPUs exchange messages.
struct SsspMessagesView
{
    // Of the vertices of all other GPUs. Their frontiers and those that take offers are lists of
    // columns.
    SsspPeer others;
    // By column: the shortest path that this step has found to a vertex of another GPU, as in
    // PushState::best. kNothing between steps.
    std::uint64_t* offers = nullptr;
    std::uint8_t* changed = nullptr;           // by slot: ChangeMark
    std::uint32_t unknown = 0;                 // kUnknown
    PullCounts* pull_counts = nullptr;         // of each block
    CountWords<SsspCounts>* totals = nullptr;  // of this step
};

struct SsspView
{
    ArcListsView graph;
    GridBarrierView<SsspCounts> barrier;
    SsspPeer own;
    SsspPeer peers[kMaxPeers];  // those that kernels reach, this GPU among them, by rank
    std::uint32_t peer_count = 1;
    SsspMessagesView messages;

    // Lists of slots.
    std::uint32_t* waiting[2] = {};    // reached vertices with arcs beyond the limit
    std::uint32_t* reached = nullptr;  // all that pushes reached

    // Lists of pulls, in which each block has a segment for its share of the vertices.

    /// Vertices that may still improve. The second list has those that have to read on in the first
    /// pull.
    OpenVertex* open[2] = {};
    std::uint32_t* listed[2] = {};  // open vertices with too many arcs for such a record
    std::uint32_t segment = 0;      // the capacity of a segment

    PushProgress* progress = nullptr;  // of the block that takes small steps alone; on one GPU only

    // Results by local number: distances and the input's numbers of parents.
    std::uint32_t* result_distances = nullptr;
    std::int32_t* result_parents = nullptr;
    SsspSummary* summary = nullptr;

    std::uint32_t width = 0;  // of a window, as a distance
    std::uint32_t end = 0;    // distances from here on count as infinite
    std::uint32_t few = 0;    // the most vertices of a step that one block does alone
    // The number of columns, from the first on, whose distances pulls keep in shared memory.
    std::uint32_t hubs = 0;
    // The number of settled arcs of all GPUs from which on vertices pull; or kNever.
    std::uint64_t pull_from = 0;
    // The same on all GPUs, which decide alike: the open vertices with which those that pulls improve
    // may push again, and the mean degree, rounded up.
    std::uint64_t open_for_push = 0;
    std::uint32_t mean_degree = 0;
    /// The vertices at the slots from here on have a single arc, in both directions together if the
    /// graph is directed. If it leads to the vertex, it determines its distance.
    /// The distance is computed when results are written; these vertices have no bounds, and pulls
    /// skip them. A multiple of 64, or of kTileSlots on several GPUs; `graph.slots` if nothing is
    /// pulled.
    std::uint32_t first_leaf = 0;
    std::uint32_t first_leaf_column = 0;  // the same for the columns of all GPUs
    const Leaf* leaves = nullptr;         // these vertices

    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
};

/// The source of a search; several sources only on one GPU.
using SsspSource = SearchSources;

}  // namespace wayfront::gpu::sssp
