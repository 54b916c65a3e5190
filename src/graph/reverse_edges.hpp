// Reversal of all edges of a graph.
#pragma once

#include "graph/distributed_graph.hpp"

namespace wayfront {

/// Reverses the edges of the graph in place: swaps its lists by row and its lists by column. After two calls, searches
/// are the same as before. If it throws, the graph has not changed. Does nothing to an undirected graph. Pre: the graph
/// is on one rank.
void reverse_edges(DistributedGraph& graph);

}  // namespace wayfront
