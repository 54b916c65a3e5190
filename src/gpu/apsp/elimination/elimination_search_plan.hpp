// The arrays that searches by elimination (elimination_search.hpp) allocate. Free of CUDA's
// headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algo/apsp/elimination.hpp"
#include "gpu/apsp/elimination/elimination_search.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

/// A position as kernels read it. One more element after the last position marks the end of the
/// arcs.
struct alignas(16) EliminationStep
{
    std::uint32_t arcs;  // index of the first arc from an ancestor
    std::uint32_t depth;
    std::uint32_t size;  // size of the subtree
    std::uint32_t vertex;
};

/// The division of the positions among warps.
struct EliminationShape
{
    std::uint32_t chunk = 1;   // number of positions in a chunk
    std::uint32_t chunks = 0;  // number of chunks
    std::size_t warps = 0;     // largest number of warps of a launch
};

/// The arrays of the tree, and the distances of a search.
struct EliminationPlan : MemoryPlan
{
    /// `ancestor_count`: number of ancestors of the first positions of all chunks.
    EliminationPlan(const algo::Elimination& tree, const EliminationShape& shape, std::size_t ancestor_count,
                    std::size_t most_sources)
        : steps(array<EliminationStep>("positions", tree.size() + std::size_t{1})),
          down(array<algo::EliminationArc>("arcs down", tree.arcs_from_ancestors.size())),
          up(array<algo::EliminationArc>("arcs up", tree.arcs_to_ancestors.size())),
          up_begins(array<std::uint32_t>("begins of arcs up", tree.arcs_to_ancestors_begins.size())),
          parents(array<std::uint32_t>("parents of positions", tree.parents.size())),
          position_of_vertex(array<std::uint32_t>("positions of vertices", tree.positions.size())),
          ancestors(array<std::uint32_t>("ancestors of chunks", ancestor_count)),
          ancestor_begins(array<std::uint32_t>("begins of ancestors of chunks", shape.chunks + std::size_t{1})),
          up_distances(array<std::uint32_t>("distances up", (most_sources + 31) / 32 * 32, tree.height)),
          paths(array<std::uint32_t>("distances to ancestors", shape.warps, tree.height, 32)),
          bins(array<unsigned long long>("bins of distances", EliminationSearch::kBins))
    {
    }
    /// The plan with the most memory: a position has less than `height` ancestors.
    static EliminationPlan most(const algo::Elimination& tree, const EliminationShape& shape, std::size_t most_sources)
    {
        return {tree, shape, std::size_t{shape.chunks} * tree.height, most_sources};
    }

    PlannedArray<EliminationStep> steps;
    PlannedArray<algo::EliminationArc> down, up;
    PlannedArray<std::uint32_t> up_begins, parents, position_of_vertex, ancestors, ancestor_begins, up_distances, paths;
    PlannedArray<unsigned long long> bins;
};

/// The facts of each source.
struct EliminationFactsPlan : MemoryPlan
{
    explicit EliminationFactsPlan(std::size_t sources) : facts(array<EliminationFacts>("facts of sources", sources)) {}

    PlannedArray<EliminationFacts> facts;
};

}  // namespace wayfront::gpu::apsp
