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
    /// Whether vertices are numbered by degree class. If false, the vertices that have edges keep
    /// the input's order.
    bool renumber = true;
    /// The order of the lists; weights only if the feed has weights.
    ListOrder list_order = ListOrder::neighbours;
};

/// Constructs the graph of all ranks' feeds together, with weights if the feeds have them.
/// Self-loops are dropped, and so are duplicates except for the one with the smallest weight.
/// Throws InputError if the graph is too large for the grid's local indices, and ResourceError if
/// memory runs out. Pre: all vertices of edges are below vertex_count(), and vertex_count() and
/// directed() are the same on all ranks. Collective over the grid's world.
DistributedGraph construct(const comm::ProcessGrid& grid, const EdgeFeed& feed,
                           const ConstructionOptions& options = {});

/// 1 + the largest vertex of all edges. Collective over the grid's world.
Vertex find_vertex_count(const comm::ProcessGrid& grid, const EdgeFeed& feed,
                         std::size_t chunk_edges = ConstructionOptions{}.chunk_edges);

}  // namespace wayfront
