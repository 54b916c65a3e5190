// Searches for shortest paths on the hosts.
#pragma once

#include <memory>
#include <string>

#include "algo/sssp/sssp_engine.hpp"
#include "algo/sssp/sssp_search.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront::session {

/// Prepares searches of a graph with weights, on the cores of all ranks. Throws InputError if the
/// options do not suit the graph, and ResourceError if there is not enough memory, on all ranks.
/// Grid and graph outlive the searches. Collective over the grid's world.
[[nodiscard]] std::unique_ptr<algo::SsspSearch> make_host_sssp(const comm::ProcessGrid& grid,
                                                               const DistributedGraph& graph,
                                                               const algo::SsspOptions& options);

/// The same for a single search of a graph that is not constructed, on one rank, by a method for which
/// searches_on_one_rank() is true. Not collective.
[[nodiscard]] std::unique_ptr<algo::SsspSearch> make_host_sssp(const EdgeFeed& feed, const algo::SsspOptions& options);

/// The engines of such searches on grids, on the cores of a rank.
[[nodiscard]] algo::SsspEngineMaker host_sssp_engines();

/// Whether one rank searches by this method without rounds.
[[nodiscard]] bool searches_on_one_rank(algo::SsspMethod method);

/// Whether the weights of `spec` are uniform from nearly 0 on, many values of them in a window of push-pull.
[[nodiscard]] bool have_many_values(const std::string& spec, double vertices, double end_degree);

/// An estimate, from above, of the bytes that these searches take on this rank beside the graph,
/// results included.
[[nodiscard]] double host_sssp_bytes(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                     algo::SsspMethod method);
/// The same of the choice of the nearest sources, beside the search.
[[nodiscard]] double host_nearest_bytes(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                        const algo::SsspOptions& options);

}  // namespace wayfront::session
