// A graph with its lists in the order of weights.
#pragma once

#include "graph/distributed_graph.hpp"

namespace wayfront {

/// A copy of a graph whose lists have ListOrder::weights, as construction makes them if it is asked to.
/// The lists of the graph have any order. Pre: the graph has weights.
[[nodiscard]] DistributedGraph with_lists_by_weight(const DistributedGraph& graph);

}  // namespace wayfront
