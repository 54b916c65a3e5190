// The ways to divide the graph of a plan, compared.
#pragma once

#include "app/commands/planned_graph.hpp"
#include "app/report/cluster_plan.hpp"

namespace wayfront::app {

/// Adds the best partition of each kind to the plan, the fastest first, whose graph, machine, ranks and kind of
/// searches are known: 1D, 2D, and those that the program does not have, blocks in turn and 1.5D, where they suit the
/// searches.
void compare_designs(const KnownGraph& known, ClusterPlan& plan);

}  // namespace wayfront::app
