// The arguments of the kernels of searches for shortest paths by pushes and pulls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/search_sources.hpp"
#include "gpu/sssp/counts.hpp"
#include "gpu/sssp/reach.hpp"

namespace wayfront::gpu::sssp {

/// The steps of a search.
enum class SsspStep : std::uint32_t {
    rounds,  // the vertices that the last round improved relax their arcs below the limit of the window
    // The limit has grown: every reached vertex continues at the first arc in its list that it has
    // not relaxed.
    window,
    settle,      // writes the results of pushes to the arrays that pulls read
    pull,        // every vertex that is not settled looks for its best arc
    pull_again,  // the vertices that may still improve look for their best arc
    push_again,  // the vertices that the last step improved relax all their arcs, if they are few
    near_far     // all of a near-far search
};

[[nodiscard]] constexpr const char* step_name(SsspStep step)
{
    constexpr const char* names[] = {"rounds", "window", "settle", "pull", "pull again", "push again", "near-far"};
    return names[static_cast<std::size_t>(step)];
}

/// The record of a search. Times are in nanoseconds, except for the beginning of a step, which is in
/// ticks of the GPU's clock.
struct SsspSummary
{
    static constexpr std::uint32_t kMostRecords = 1024;
    struct Record
    {
        std::int64_t begin;
        SsspStep step;
        std::uint32_t vertices;  // number of vertices at the beginning of the step
    };

    std::uint64_t relaxed_arcs;  // number of arcs that pushes read
    std::uint64_t pulled_arcs;   // number of arcs that pulls read
    std::uint64_t begin, end;
    std::int64_t first_tick, last_tick;  // ticks of the clock at `begin` and at `end`
    std::uint32_t reached;               // number of reached vertices that have edges
    std::uint32_t steps;
    std::uint32_t overflow;  // not 0 if a distance does not fit 32 bits
    // Number of reached vertices for which near-far found no parent at a smaller distance.
    std::uint32_t without_parent;
    std::uint32_t most_rounds;     // near-far: largest number of rounds of a thread block
    Record records[kMostRecords];  // the first kMostRecords steps
};

/// The sizes of lists, in device memory. All sizes are 0 between searches.
struct SsspSizes
{
    alignas(128) std::uint32_t reached;
    alignas(128) std::uint32_t near;  // vertices that are nearer to the source than all vertices of large degree
    // Number of vertices that take the offers of single vertices in a round, by number of the round
    // modulo 3.
    alignas(128) std::uint32_t takers[3];
    // Sizes of the lists of waiting vertices, by number of the window modulo 3: the list of the last
    // window, which this window reads; the list that this window fills; and the list of the next
    // window, which is cleared meanwhile.
    alignas(128) std::uint32_t waiting[3];
    // Sizes of the frontiers on several GPUs, by number of the round modulo 3. On one GPU, the
    // barrier counts the frontier.
    alignas(128) std::uint32_t frontier[3];

    WAYFRONT_HD void clear()
    {
        reached = 0;
        near = 0;
        for (int i = 0; i < 3; ++i) takers[i] = waiting[i] = frontier[i] = 0;
    }
};

/// Bounds of the distance of a vertex. The upper bound is the length of the shortest path found so
/// far.
struct DistanceBounds
{
    std::uint32_t upper;
    std::uint32_t lower;
};

/// Bounds of a distance as they are stored. A final distance has its parent instead of the lower
/// bound, so that one load reads both. If the vertex was not final when it got its distance, its
/// parent is in SsspPeer::parents instead. While nothing is known of a vertex, its words are
/// kUnknown and a LightestArcs.
struct alignas(8) StoredBounds
{
    std::uint32_t upper;
    std::uint32_t second;  // final: 2 parent + 1 or kParentElsewhere; open: lower bound, even; unknown: LightestArcs

    // Second word of a final distance whose parent is in SsspPeer::parents.
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

/// A vertex that pulls may still improve, and the arcs by which a pull may improve it. One record
/// fills one sector of memory.
struct alignas(32) OpenVertex
{
    static constexpr std::uint32_t kArcs = 3;

    std::uint32_t slot;
    std::uint32_t distance;
    Arc arcs[kArcs];  // unused entries have infinite weight
};

/// The only arc to a leaf, read in one load when results are written. A leaf without in-arcs has an
/// arc of infinite weight from the leaf itself.
struct alignas(16) Leaf
{
    Arc arc;
    std::uint32_t parent;  // the input's number of the vertex at the arc's end
};

/// The state of a vertex in pushes. It fills one sector of memory.
struct alignas(32) PushState
{
    static constexpr std::uint64_t kNothing = ~std::uint64_t{0};
    static constexpr std::uint64_t kQueued = 1;

    /// Shortest path found: distance << 32 | parent << 1. kQueued is set while the vertex is in a
    /// frontier and has not been visited. kNothing: not reached, or between searches. During pulls:
    /// the shortest offered path that the vertex has not taken, or kNothing (single_vertices.cuh).
    std::uint64_t best;
    /// distance << 32 | place: the vertex has relaxed the arcs before `place` with this distance.
    /// kNothing before the first visit and between searches.
    std::uint64_t progress;
    // For visited vertices: distance at the end of the next arc of the list; 0 if the list has no
    // further arc.
    std::uint32_t next_reach;

    /// The word of a path, with kQueued set. The words of paths are ordered by distance.
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

/// The progress of pushes, summed over all GPUs.
struct PushProgress
{
    std::uint64_t nearest;       // smallest distance at or beyond the limit that an arc leads to
    std::uint64_t settled_arcs;  // number of arcs of all reached vertices
    std::uint64_t relaxed_arcs;  // number of arcs that the last step relaxed; on one GPU only
    std::uint32_t size;          // size of the frontier; if GPUs exchange messages, a vertex may be counted twice
    std::uint32_t most;          // size of the largest frontier of this window
    std::uint32_t window;        // number of the window
    std::uint32_t limit;         // end of the window: at its end, smaller distances are final
    std::uint32_t round;
    std::uint32_t steps;

    // The next window begins when the frontier is kTail times smaller than the largest frontier of
    // this window.
    static constexpr std::uint32_t kTail = 8;

    /// The progress before the first round. The first frontier consists of the sources that have
    /// edges.
    [[nodiscard]] static WAYFRONT_HD constexpr PushProgress of_source(std::uint32_t size, std::uint32_t limit)
    {
        return {.nearest = kNoDistance,
                .settled_arcs = 0,
                .relaxed_arcs = 0,
                .size = size,
                .most = size > 1 ? size : 1,
                .window = 0,
                .limit = limit,
                .round = 1,
                .steps = 0};
    }

    /// Whether this window is the last one of the pushes. `pull_from`: number of settled arcs at
    /// which pulls begin.
    [[nodiscard]] WAYFRONT_HD constexpr bool is_last_window(std::uint64_t pull_from) const
    {
        return nearest == kNoDistance || settled_arcs >= pull_from;
    }
    [[nodiscard]] WAYFRONT_HD constexpr bool ends(std::uint64_t pull_from) const
    {
        return size == 0 && is_last_window(pull_from);
    }
    /// Whether the next step begins the next window. The next window begins early if the frontier
    /// is small in comparison with the largest frontier of this window: a round of a few vertices
    /// takes as long as a round of thousands.
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

    /// Ends a step. `improved`: size of the next frontier.
    template <Reach kReach>
    WAYFRONT_HD constexpr void pass(const PushCounts<kReach>& counts, std::uint32_t improved)
    {
        nearest = counts.nearest < nearest ? counts.nearest : nearest;
        settled_arcs += counts.settled_arcs;
        if constexpr (kReach == Reach::single_gpu) relaxed_arcs = counts.relaxed_arcs;
        size = improved;
        most = improved > most ? improved : most;
        ++round;
    }
};

/// The memory of one GPU that the kernels of all GPUs of the search read and write.
struct SsspPeer
{
    // Bounds of all vertices but leaves, by column. clear_bounds() clears them after each search.
    // After pushes, the owner of a vertex stores its bounds on every GPU. Near-far stores its
    // distances here.
    StoredBounds* bounds = nullptr;
    std::uint32_t* lightest = nullptr;  // LightestArcs::word of each column; the same in all searches

    // Arrays of this GPU's vertices, by slot. A parent is a column.
    std::uint32_t* parents = nullptr;  // parents that the bounds do not contain
    PushState* pushed = nullptr;

    std::uint32_t* frontiers[2] = {};  // lists of slots: the vertices that a round improved
    SsspSizes* sizes = nullptr;
};

/// The distances that limit a pass of pulls.
struct PullLimits
{
    std::uint32_t least;    // lower limit of the distances of neighbours that can improve a vertex
    std::uint32_t settled;  // smaller distances are final
};

/// A range of consecutive slots.
struct SlotRange
{
    std::uint32_t first;
    std::uint32_t end;
};

/// Sizes of a thread block's lists in pulls. Between the launches of two passes, pull_sizes keeps
/// them.
struct PullSizes
{
    // Numbers of vertices; index: number of the pass modulo 2.
    std::uint32_t open[2];
    std::uint32_t listed[2];
    std::uint32_t unfinished;
    std::uint32_t improved;  // number of vertices that this pass improved; the first pass does not count them
};

/// Bits that say what has changed of a vertex since this GPU informed the other GPUs.
struct ChangeMark
{
    static constexpr std::uint32_t kClosed = 1;    // upper and lower bound have become equal
    static constexpr std::uint32_t kDistance = 2;  // the upper bound has become smaller
};

/// The state that a GPU keeps between two steps if the GPUs exchange messages.
struct SsspMessagesView
{
    // Lists of the vertices of all other GPUs: their frontiers, and the vertices that received
    // offers, as columns.
    SsspPeer others;
    // By column: the shortest path that this step has found to a vertex of another GPU, encoded as
    // PushState::best. kNothing between steps.
    std::uint64_t* offers = nullptr;
    std::uint8_t* changed = nullptr;           // by slot: bits of ChangeMark
    std::uint32_t unknown = 0;                 // kUnknown of the type of distances
    PullSizes* pull_sizes = nullptr;           // for each thread block
    CountWords<SsspCounts>* totals = nullptr;  // counts of the current step
};

struct SsspView
{
    ArcListsView graph;
    GridBarrierView<SsspCounts> barrier;
    SsspPeer own;
    SsspPeer peers[kMaxPeers];  // by rank: the GPUs whose memory kernels reach, including this GPU
    std::uint32_t peer_count = 1;
    SsspMessagesView messages;

    // Lists of slots:
    std::uint32_t* waiting[2] = {};    // reached vertices with arcs beyond the limit
    std::uint32_t* reached = nullptr;  // all vertices that pushes reached

    // Lists of pulls. Each list has one segment for each thread block.

    /// Vertices that may still improve. In the first pass, the second list contains the vertices
    /// whose lists have to be read beyond the head.
    OpenVertex* open[2] = {};
    std::uint32_t* listed[2] = {};  // open vertices that have too many arcs for an OpenVertex
    std::uint32_t segment = 0;      // capacity of a segment

    PushProgress* progress = nullptr;  // progress of the thread block that takes small steps alone; on one GPU only

    // Results by local number: distances, and the input's numbers of parents.
    std::uint32_t* result_distances = nullptr;
    std::int32_t* result_parents = nullptr;
    SsspSummary* summary = nullptr;

    std::uint32_t width = 0;                  // width of a window, as a distance
    std::uint32_t end = 0;                    // distances of this size and larger count as infinite
    std::uint32_t single_block_vertices = 0;  // largest number of vertices in a step of a single thread block
    // Number of columns, from column 0 on, whose distances pulls keep in shared memory.
    std::uint32_t hubs = 0;
    // Number of settled arcs on all GPUs at which pulls begin, or kNever.
    std::uint64_t pull_from = 0;
    // Smallest number of open vertices with which improved vertices may push again; and mean
    // degree, rounded up. Both numbers are equal on all GPUs, so that all GPUs take the same
    // decisions.
    std::uint64_t open_for_push = 0;
    std::uint32_t mean_degree = 0;
    /// First slot of the leaves. A leaf is a vertex with a single arc, counted over both directions
    /// if the graph is directed. If this arc leads to the leaf, it determines the distance of the
    /// leaf, which is computed when results are written. Leaves have no bounds and do not pull.
    /// `first_leaf` is a multiple of 64, or of kTileSlots on several GPUs. It is `graph.slots` if
    /// the search does not pull.
    std::uint32_t first_leaf = 0;
    std::uint32_t first_leaf_column = 0;  // first column of the leaves of all GPUs
    const Leaf* leaves = nullptr;         // leaves of this GPU, by slot - first_leaf

    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
};

/// The sources of a search. More than one source is possible on one GPU only.
using SsspSource = SearchSources;

}  // namespace wayfront::gpu::sssp
