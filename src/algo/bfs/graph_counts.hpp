// The numbers of a distributed graph that the rule for directions uses.
#pragma once

#include "algo/bfs/direction.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// The same on all ranks.
[[nodiscard]] inline GraphCounts counts_of(const DistributedGraph& graph)
{
    return {.vertices = static_cast<double>(graph.connected_vertices),
            .arcs = static_cast<double>(graph.directed_edges),
            .directed = graph.directed};
}

}  // namespace wayfront::algo
