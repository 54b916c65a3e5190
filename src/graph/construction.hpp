// Construction (Graph500's kernel 1): from a distributed edge list to a DistributedGraph.
#pragma once

#include <cstddef>

#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront {

struct ConstructionOptions
{
    /// Edges of a rank's share that are in flight at a time; at least 1.
    std::size_t chunk_edges = std::size_t{1} << 21;
    /// Number the vertices by degree class; false keeps the input's order among the vertices that have edges.
    bool renumber = true;
};

/// Collective over the grid's world; all ranks' feeds together are the graph. Self-loops and duplicates are dropped. Throws InputError where the
/// graph is too large for the grid's local indices, ResourceError where memory ends. Pre: all edges name vertices below vertex_count(), which, like
/// directed(), is the same on all ranks.
DistributedGraph construct(const comm::ProcessGrid& grid, const EdgeFeed& feed, const ConstructionOptions& options = {});

/// 1 + the largest vertex that an edge of any share names. Collective over the grid's world.
Vertex find_vertex_count(const comm::ProcessGrid& grid, const EdgeFeed& feed, std::size_t chunk_edges = ConstructionOptions{}.chunk_edges);

}  // namespace wayfront
