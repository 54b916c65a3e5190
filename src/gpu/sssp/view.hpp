// What the kernel of the resident search for shortest paths works on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/arc_lists.hpp"

namespace wayfront::gpu {

/// What the threads count between two barriers.
struct SsspCounts
{
    std::uint64_t nearest = 0;  // the smallest distance of interest, see the steps
    std::uint64_t found = 0;    // arcs of vertices that a push reached for the first time, or vertices that a pull left open
    std::uint64_t work = 0;     // arcs that a push relaxed, or vertices whose distance became smaller in a pull

    static WAYFRONT_HD constexpr WordReduction reduction(int word) { return word == 0 ? WordReduction::minimum : WordReduction::sum; }
    [[nodiscard]] static WAYFRONT_HD constexpr SsspCounts none() { return {(std::uint64_t{1} << kCountBits) - 1, 0, 0}; }
};

/// The steps of a search, between two barriers each.
enum class SsspStep : std::uint32_t {
    rounds,      // the vertices that the last round improved relax their arcs below the limit
    window,      // the limit has grown: all reached vertices go on where they stopped in their lists
    settle,      // what pushes found is written where pulls look for it
    pull,        // every vertex that is not settled looks for its best arc
    pull_again,  // those that may still improve
    near_far     // the whole search by near-far
};

/// What a search did. Times are in nanoseconds, but steps begin at ticks of a clock.
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
    std::uint32_t overflow;        // not 0 if a distance does not fit 32 bits
    std::uint32_t without_parent;  // reached vertices for which near-far found no parent nearer to the source
    std::uint32_t most_rounds;     // of a block in near-far
    Record records[kMostRecords];  // of the first steps
};

/// The sizes of lists, in device memory; 0 between searches.
struct SsspSizes
{
    alignas(128) std::uint32_t reached;
    alignas(128) std::uint32_t near;      // vertices that are nearer than all of large degree
    alignas(128) std::uint32_t improved;  // vertices, some of them twice, to which arcs of the near ones lead
    // Of the lists that the last step filled and this one fills; the third is cleared meanwhile.
    alignas(128) std::uint32_t waiting[3];
};

/// What is known of a vertex's distance. The upper bound is the length of the shortest path found.
struct DistanceBounds
{
    std::uint32_t upper;
    std::uint32_t lower;
};

/// The bounds in memory: a final distance has its parent in place of the lower bound, so that both are read at once. The parent of a vertex that was
/// not final when it got its distance is in an array of its own.
struct alignas(8) StoredBounds
{
    std::uint32_t upper;
    std::uint32_t second;  // 2 parent + 1, or kParentElsewhere, or a lower bound that is even

    static constexpr std::uint32_t kParentElsewhere = ~0U;  // of a final distance that had its parent before

    [[nodiscard]] static WAYFRONT_HD constexpr StoredBounds final(std::uint32_t distance, std::uint32_t parent)
    {
        return {distance, parent << 1 | 1};
    }
    /// The lower bound is rounded down.
    [[nodiscard]] static WAYFRONT_HD constexpr StoredBounds open(std::uint32_t upper, std::uint32_t lower) { return {upper, lower & ~1U}; }

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
    Arc arcs[kArcs];  // those that are missing have infinite weight
};

/// What pushes know of a vertex, in one sector of memory.
struct alignas(32) PushState
{
    static constexpr std::uint64_t kNothing = ~std::uint64_t{0};

    std::uint64_t best;  // distance << 32 | parent; kNothing if not reached, and between searches
    /// distance << 32 | place: with this distance the arcs before the place are relaxed. kNothing
    /// before the first visit, and between searches.
    std::uint64_t progress;
    std::uint32_t next_reach;  // of visited vertices: the distance at the end of the next arc
    std::uint32_t queued;      // the last round for which the vertex was queued; 0 between searches
};

/// How far pushes have come.
struct PushProgress
{
    std::uint64_t nearest;       // the distance at the end of the nearest arc beyond the limit
    std::uint64_t settled_arcs;  // of all vertices reached
    std::uint64_t work;          // arcs relaxed by the last step
    std::uint32_t size;          // of the frontier
    std::uint32_t most;          // of the frontiers of this window
    std::uint32_t window;        // its number
    std::uint32_t limit;         // distances below are final when a window ends
    std::uint32_t round;
    std::uint32_t steps;
};

struct SsspView
{
    ArcListsView graph;
    GridBarrierView<SsspCounts> barrier;

    // By slot.
    StoredBounds* bounds = nullptr;    // while pushes run, infinite
    std::uint32_t* parents = nullptr;  // slots, of vertices whose bounds do not have them
    PushState* pushed = nullptr;

    // Lists of slots.
    std::uint32_t* frontiers[2] = {};  // vertices that a round improved
    std::uint32_t* waiting[2] = {};    // reached vertices with arcs beyond the limit
    std::uint32_t* reached = nullptr;  // all that pushes reached
    // Of pulls. Each block has a segment of its own for the vertices that it has shared out to it.
    OpenVertex* open[2] = {};       // vertices that may still improve; the first pull keeps those that have to read on in the second list
    std::uint32_t* listed[2] = {};  // open vertices with too many arcs for such a record
    std::uint32_t segment = 0;      // the capacity of a segment

    SsspSizes* sizes = nullptr;
    PushProgress* progress = nullptr;  // of the block that takes small steps alone

    // Results by local number: distances and the input's numbers of parents.
    std::uint32_t* result_distances = nullptr;
    std::int32_t* result_parents = nullptr;
    SsspSummary* summary = nullptr;

    std::uint32_t width = 0;      // of a window, as a distance
    std::uint32_t end = 0;        // distances from here on count as infinite
    std::uint32_t few = 0;        // a step of so many vertices is left to one block
    std::uint32_t hubs = 0;       // slots, the first ones, whose distances pulls keep in shared memory
    std::uint64_t pull_from = 0;  // settled arcs from which on the rest is pulled; kNever

    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
};

/// The source of a search.
struct SsspSource
{
    std::uint32_t local = 0;
    std::uint32_t vertex = 0;  // the input's number
};

}  // namespace wayfront::gpu
