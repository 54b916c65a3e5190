// The nearest of several sources, of each vertex, after a search from all of them at once.
//
// Among the sources at the smallest distance, the nearest source has the smallest number. It
// depends on the distances alone, and not on engine, grid and threads: it is the smallest source
// from which a path of tight edges (tight_edges.hpp) leads to the vertex. All vertices of this path
// have the same nearest source; so there is a tree of each source, and parents lead to the nearest
// one. A source at distance 0 from a smaller source is nearest to that one. If weights are floats,
// sources are equally far if rounded sums along tight edges are equal.
//
// On one rank, a breadth-first search of a graph of few edges a vertex whose levels were all found in
// order has the nearest sources already (bfs/discovery_order.hpp). Otherwise the roots of its trees are passed on where
// that makes them smaller (nearest_in_memory.hpp); if all edges have length 1 and vertices have many, the vertices of
// each level take the smallest source of the level before (nearest_by_levels.hpp). Ranks of one host do the same in
// memory that they share, if they are a grid of one column (nearest_in_columns.hpp). Over other ranks, sources are
// passed on from the beginning, in rounds: each round sends sources along the tight edges of the vertices that got
// smaller ones in the previous round.
#pragma once

#include <span>

#include "algo/source_trees.hpp"
#include "algo/tight_edges.hpp"
#include "base/phase.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// A finished search from several sources.
template <typename D>
struct NearestSearch
{
    std::span<const Vertex> sources;  // ascending
    std::span<const D> distances;     // of this rank's slots
    EdgeLengths lengths = EdgeLengths::weights;
    bool negative_weights = false;
    // Whether each vertex gets the smallest of the parents that lead to its nearest source.
    bool smallest_parents = false;
};

/// Replaces the parents of a search by parents towards the nearest source, and writes these sources;
/// kUnreached if a vertex is not reached. Messages are spans in the log, which may be null. Uses
/// nearest_bytes(). Collective over the grid's world.
template <typename D>
void choose_nearest(const comm::ProcessGrid& grid, const DistributedGraph& graph, const NearestSearch<D>& search,
                    SourceTrees trees, PhaseLog* log = nullptr);

/// An estimate, from above, of the bytes that choose_nearest() takes on this rank, with the nearest
/// sources. `distance_bytes` is the size of a distance.
[[nodiscard]] double nearest_bytes(const comm::ProcessGrid& grid, const DistributedGraph& graph, double distance_bytes,
                                   bool smallest_parents);

}  // namespace wayfront::algo
