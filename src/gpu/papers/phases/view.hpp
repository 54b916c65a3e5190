// The arguments of the kernel of the search by phases: the methods "conventional", "selection" and
// "adaptive".
//
// Follows "Accelerating SSSP Algorithm on GPU with Adaptive Thread Creation" (in Japanese; the
// method with adaptive thread creation, algorithms 1 to 6). A phase of the conventional method has
// a thread for every vertex, and those whose distance was updated relax their arcs; in the
// selection method, threads exist for the updated vertices alone, which phases have to list; the
// adaptive method changes from one to the other by the measured time of a phase.
//
// Departures from the paper:
//   - One cooperative kernel runs all phases, and times them with the GPU's clock, instead of two
//     launches and a measurement on the host for each phase. On an H200 a phase of few vertices is
//     then predicted to take 3 to 5 us: a barrier of the grid, 1 us, and six dependent accesses.
//   - Relaxing and updating are one step. The paper's Ca[v] (the distance with which v relaxed its
//     arcs) and Ua[v] (the smallest found) are both kept, and the mask Ma[v] is Ua[v] < Ca[v]. A
//     vertex relaxes with the smallest distance known at that time, so a phase can also settle
//     vertices that were updated in it, and there is one barrier in a phase and not two.
//   - A distance and its parent are one 64-bit word, which is replaced only by a smaller distance,
//     so that parents form a tree even if weights are zero.
//
// A phase over all n vertices reads at least 16 bytes of each: predicted 6 us for the road network
// of the north-east USA (1.5 M vertices, 24 MB, in the L2 cache of an H200), and 16 n / (4.3 TB/s)
// for larger graphs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/papers/phases/switch_rule.hpp"

namespace wayfront::gpu::sssp {

/// The counts of the threads between two barriers.
struct PhaseCounts
{
    /// The time until the clock's 48 bits wrap; smallest for the last thread.
    std::uint64_t until_end = (std::uint64_t{1} << kCountBits) - 1;
    std::uint64_t relaxed = 0;   // vertices that relaxed their arcs
    std::uint64_t improved = 0;  // distances that became smaller

    static WAYFRONT_HD constexpr WordReduction reduction(int word)
    {
        return word == 0 ? WordReduction::minimum : WordReduction::sum;
    }
};

/// The state of a vertex, in half a sector of memory.
struct alignas(16) VertexState
{
    std::uint64_t best;  // distance << 32 | slot of the parent
    // The distance with which the vertex relaxed its arcs; infinite before that.
    std::uint32_t relaxed;
    std::uint32_t queued;  // the last step in which the vertex was listed; 0 at first
};

enum class PhaseStep : std::uint32_t {
    all,      // a phase over all vertices
    updated,  // a phase over the updated vertices
    list      // the updated vertices are listed, after a phase over all
};

/// The record of a search.
struct PhaseSummary
{
    static constexpr std::uint32_t kMostRecords = 8192;
    struct Record
    {
        std::uint32_t nanoseconds;
        PhaseStep step;
        std::uint32_t vertices;  // vertices that relaxed their arcs, or were listed
    };

    std::uint64_t relaxed_arcs;
    std::uint32_t reached;  // vertices with edges
    std::uint32_t steps;
    std::uint32_t overflow;        // not 0 if a distance may not fit 32 bits
    Record records[kMostRecords];  // of the first steps
};

struct PhaseView
{
    ArcListsView graph;
    GridBarrierView<PhaseCounts> barrier;
    VertexState* states = nullptr;              // by slot
    std::uint32_t* lists[2] = {};               // updated vertices, by the parity of the step
    std::uint32_t* result_distances = nullptr;  // by local number
    std::int32_t* result_parents = nullptr;
    PhaseSummary* summary = nullptr;
    std::uint32_t end = 0;  // distances from here on count as infinite
};

/// The plan of one search.
struct PhaseRun
{
    PhaseMode mode = PhaseMode::adaptive;
    PhaseThresholds thresholds;
    // The number of phases after which a search ends, with distances that are too large. For
    // tuning.
    std::uint32_t most_steps = ~0U;
};

}  // namespace wayfront::gpu::sssp
