// Searches for shortest paths over any grid, in rounds, with distances in host memory or on GPUs.
#pragma once

#include <memory>

#include "algo/sssp/sssp_engine.hpp"
#include "algo/sssp/sssp_search.hpp"
#include "algo/sssp/sssp_steps.hpp"

namespace wayfront::algo {

/// Prepares searches of a graph with weights. With SsspMethod::automatic the method is Bellman-Ford
/// if there are negative weights, push-pull if the lists are sorted by weight, and otherwise
/// delta-stepping. Throws InputError if the method does not suit the graph: negative weights need
/// Bellman-Ford, push-pull needs lists by weight, and Dijkstra's algorithm has no rounds. Grid and
/// graph outlive the searches. result() is collective after each run. Collective over the grid's
/// world.
std::unique_ptr<SsspSearch> make_grid_sssp(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                           const SsspOptions& options, SsspStepsMaker make_steps);
/// The same with distances in host memory.
std::unique_ptr<SsspSearch> make_grid_sssp(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                           const SsspOptions& options, SsspEngineMaker make_engine);

}  // namespace wayfront::algo
