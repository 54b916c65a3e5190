// The work and the messages of the ranks of a 1.5D partition in a breadth-first search (algo/bfs/hub_rules.hpp),
// counted on one process from a real graph. partition_work.hpp estimates the mean of these counts.
#pragma once

#include <cstdint>

#include "algo/bfs/direction.hpp"
#include "base/types.hpp"
#include "graph/distributed_graph.hpp"
#include "model/virtual_bfs.hpp"

namespace wayfront::model {

struct HubBfsOptions
{
    algo::DirectionPolicy direction;
    std::uint32_t hubs = 0;         // number of hubs; at most the number of slots is used
    std::uint32_t listed_hubs = 0;  // number of the first hubs whose arcs each rank also stores by hub
};

/// Counts a search from `key` over `ranks` ranks. `whole` is the graph on one rank, undirected; its slots are in
/// descending order of degrees. Throws InputError if the key is not in the graph.
SearchWork count_hub_bfs(const DistributedGraph& whole, int ranks, Vertex key, const HubBfsOptions& options);

}  // namespace wayfront::model
