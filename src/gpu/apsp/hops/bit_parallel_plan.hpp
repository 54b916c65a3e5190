// The arrays that a bit-parallel search (bit_parallel.hpp) allocates. Free of CUDA's headers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/apsp/rows/source_facts.hpp"
#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/runtime/counts.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kSetWords = 32;
inline constexpr std::uint32_t kBatchSources = 32 * kSetWords;

struct BitParallelCounts
{
    std::uint64_t found;
    [[nodiscard]] static WAYFRONT_HD constexpr WordReduction reduction(int /*word*/) { return WordReduction::sum; }
};

/// The arrays of a search, without the lists of in-neighbours.
struct BitParallelPlan : MemoryPlan
{
    /// `slots`: number of vertices with edges.
    BitParallelPlan(std::size_t vertices, std::size_t slots)
        : slot_of_vertex(array<std::uint32_t>("slots of vertices", vertices)),
          seen(array<std::uint32_t>("sets of sources", slots, kSetWords)),
          frontiers{array<std::uint32_t>("frontier", slots, kSetWords),
                    array<std::uint32_t>("next frontier", slots, kSetWords)},
          active{array<std::uint8_t>("whether sets of the frontier are used", slots),
                 array<std::uint8_t>("whether sets of the next frontier are used", slots)},
          level_counts{array<std::uint32_t>("counts of a level", kBatchSources),
                       array<std::uint32_t>("counts of the next level", kBatchSources)},
          // Each level of a search finds a vertex, so there are fewer levels than vertices.
          levels(array<unsigned long long>("pairs of levels", std::max<std::size_t>(1, vertices))),
          deepest(array<std::uint32_t>("largest distance", 1)),
          barrier(array<GridBarrierState<BitParallelCounts>>("barrier", 1))
    {
    }

    PlannedArray<std::uint32_t> slot_of_vertex, seen;
    std::array<PlannedArray<std::uint32_t>, 2> frontiers;
    std::array<PlannedArray<std::uint8_t>, 2> active;
    std::array<PlannedArray<std::uint32_t>, 2> level_counts;
    PlannedArray<unsigned long long> levels;
    PlannedArray<std::uint32_t> deepest;
    PlannedArray<GridBarrierState<BitParallelCounts>> barrier;
};

/// One bit plane of the distances of all sets.
struct BitPlanePlan : MemoryPlan
{
    explicit BitPlanePlan(std::size_t slots) : bits(array<std::uint32_t>("bit of distances", slots, kSetWords)) {}

    PlannedArray<std::uint32_t> bits;
};

/// The facts of each source.
struct SourceFactsPlan : MemoryPlan
{
    explicit SourceFactsPlan(std::size_t sources) : facts(array<SourceFacts>("facts of sources", sources)) {}

    PlannedArray<SourceFacts> facts;
};

}  // namespace wayfront::gpu::apsp
