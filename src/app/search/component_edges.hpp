// m of a search without the validator: how many tuples of the input lie in the component that was searched.
//
// Every tuple that joins two vertices adds one to the degree of both, duplicates counted, so a component has half the sum of its degrees, and its
// self-loops besides, which are counted here once for all searches.
#pragma once

#include <cstdint>

#include "base/host_buffer.hpp"
#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::app {

class ComponentEdges
{
public:
    /// `graph` is undirected, was constructed from `feed`, and outlives the object. Collective.
    ComponentEdges(const comm::Communicator& world, const DistributedGraph& graph, const EdgeFeed& feed);

    /// Tuples with a reached end; self-loops once each, all others once each. Collective.
    [[nodiscard]] EdgeCount count(const VertexArray& parents) const;

private:
    const comm::Communicator& world_;
    const DistributedGraph& graph_;
    HostBuffer<std::uint32_t> loops_;  // by local number
};

}  // namespace wayfront::app
