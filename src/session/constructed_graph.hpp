// A graph with its grid and its edges, as searches and their checks refer to it.
#pragma once

#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront::session {

/// The objects outlive the searches of the graph.
struct ConstructedGraph
{
    const comm::ProcessGrid& grid;
    const DistributedGraph& graph;  // over the grid; without lists if only GPUs have them
    const EdgeFeed& feed;           // the edges from which the graph was constructed
};

}  // namespace wayfront::session
