// The properties of a graph that determine the time of searches by pushes and pulls.
#pragma once

#include <string>

#include "graph/distributed_graph.hpp"
#include "plan/apsp/method.hpp"

namespace wayfront::plan {

/// The mean number of out-arcs, duplicates included, of the vertices from which arcs lead. Where it is large, most arcs
/// lead to vertices of many arcs, and searches find nearly all vertices from few of the lightest arcs.
[[nodiscard]] double end_degree(const DistributedGraph& graph);

/// The seconds in which each rank sorts the lists of its copy of the graph.
[[nodiscard]] double list_sort_seconds(const ApspCase& asked);

/// Why push-pull cannot do the work; empty if it can.
[[nodiscard]] std::string push_pull_obstacle(const ApspWork& work);

}  // namespace wayfront::plan
