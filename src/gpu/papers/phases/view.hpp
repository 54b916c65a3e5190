// The arguments of the kernel of the search by phases: the methods "conventional", "selection" and
// "adaptive".
//
// The methods follow "Accelerating SSSP Algorithm on GPU with Adaptive Thread Creation" (in
// Japanese; the method with adaptive thread creation, algorithms 1 to 6). In the conventional
// method, a phase has a thread for every vertex, and the vertices whose distance was updated relax
// their arcs. In the selection method, a phase has threads only for the updated vertices, and must
// list those of the next phase. The adaptive method changes between the two by the measured time of
// a phase.
//
// Departures from the paper:
//   - One cooperative kernel runs all phases and times them with the GPU's clock; the paper has two
//     launches and a measurement on the host per phase. On an H200, a phase of few vertices is
//     predicted to take 3 to 5 us: a barrier of the grid, 1 us, and six dependent accesses.
//   - Relaxing and updating are one step. The paper's Ca[v] (the distance with which v relaxed its
//     arcs) and Ua[v] (the smallest distance found) are both kept, and the mask Ma[v] is Ua[v] <
//     Ca[v]. A vertex relaxes with the smallest distance known at that time, so a phase can also
//     settle vertices that were updated in it, and a phase has one barrier instead of two.
//   - A distance and its parent are one 64-bit word, which only a smaller distance replaces, so
//     that parents form a tree even if weights are 0.
//
// A phase over all n vertices reads at least 16 bytes of each. Predicted: 6 us for the road network
// of the north-east USA (1.5 M vertices, 24 MB, in the L2 cache of an H200), and 16 n / (4.3 TB/s)
// for larger graphs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/papers/phases/switch_rule.hpp"

namespace wayfront::gpu::sssp {

/// The counts that a barrier sums over all threads.
struct PhaseCounts
{
    /// Time until the clock's 48 bits wrap; the minimum is that of the last thread.
    std::uint64_t until_end = (std::uint64_t{1} << kCountBits) - 1;
    std::uint64_t relaxed = 0;   // number of vertices that relaxed their arcs
    std::uint64_t improved = 0;  // number of distances that became smaller

    static WAYFRONT_HD constexpr WordReduction reduction(int word)
    {
        return word == 0 ? WordReduction::minimum : WordReduction::sum;
    }
};

/// The state of a vertex, in half a sector of memory.
struct alignas(16) VertexState
{
    std::uint64_t best;  // distance << 32 | slot of the parent
    // Distance with which the vertex relaxed its arcs; infinite before that.
    std::uint32_t relaxed;
    std::uint32_t queued;  // last step in which the vertex was listed; 0 at first
};

enum class PhaseStep : std::uint32_t {
    all,      // a phase over all vertices
    updated,  // a phase over the updated vertices
    list      // lists the updated vertices, after a phase over all vertices
};

/// The record of a search.
struct PhaseSummary
{
    static constexpr std::uint32_t kMostRecords = 8192;
    struct Record
    {
        std::uint32_t nanoseconds;
        PhaseStep step;
        std::uint32_t vertices;  // number of vertices that relaxed their arcs, or were listed
    };

    std::uint64_t relaxed_arcs;
    std::uint32_t reached;  // number of reached vertices with edges
    std::uint32_t steps;
    std::uint32_t overflow;        // not 0 if a distance may not fit 32 bits
    Record records[kMostRecords];  // the first kMostRecords steps
};

struct PhaseView
{
    ArcListsView graph;
    GridBarrierView<PhaseCounts> barrier;
    VertexState* states = nullptr;              // by slot
    std::uint32_t* lists[2] = {};               // lists of updated vertices, by number of the step modulo 2
    std::uint32_t* result_distances = nullptr;  // results by local number
    std::int32_t* result_parents = nullptr;
    PhaseSummary* summary = nullptr;
    std::uint32_t end = 0;  // distances of this size and larger count as infinite
};

/// The parameters of one search.
struct PhaseRun
{
    PhaseMode mode = PhaseMode::adaptive;
    PhaseThresholds thresholds;
    // Number of phases after which a search ends, with distances that may be too large. For tuning.
    std::uint32_t most_steps = ~0U;
};

}  // namespace wayfront::gpu::sssp
