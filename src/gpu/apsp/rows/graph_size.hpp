// The size of a graph for memory plans of rows. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

struct GraphSize
{
    // Pre: the graph is on one rank.
    explicit GraphSize(const DistributedGraph& graph)
        : vertices(graph.slot_of_local.size()),
          arcs(graph.block.out_edges().view().begin(static_cast<std::uint32_t>(graph.connected_vertices)))
    {
    }

    std::size_t vertices;
    std::size_t arcs;
};

}  // namespace wayfront::gpu::apsp
