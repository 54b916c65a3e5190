// A graph with all edges turned around.
#pragma once

#include "graph/distributed_graph.hpp"

namespace wayfront {

/// Turns the edges of the graph around, in place: its lists by row and by column change places. Called
/// twice, it gives the same searches as before. If it throws, the graph has not changed. Does nothing to an undirected
/// graph. Pre: the graph is on one rank.
void reverse_edges(DistributedGraph& graph);

}  // namespace wayfront
