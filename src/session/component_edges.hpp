// Counts the tuples of the input in the component of a search (m of Graph500) without the
// validator.
//
// Every tuple that joins two vertices adds one to the degree of both; duplicates count, too. A
// component therefore has half the sum of its degrees, and in addition its self-loops, which are
// counted once for all searches when the object is constructed.
#pragma once

#include <cstdint>

#include "base/host_buffer.hpp"
#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::session {

class ComponentEdges
{
public:
    /// `graph` is undirected, was constructed from `feed`, and outlives the object. Collective.
    ComponentEdges(const comm::Communicator& world, const DistributedGraph& graph, const EdgeFeed& feed);

    /// Returns the number of tuples with a reached end. Self-loops count once each, as all other
    /// tuples do. Collective.
    [[nodiscard]] EdgeCount count(const VertexArray& parents) const;

private:
    const comm::Communicator& world_;
    const DistributedGraph& graph_;
    HostBuffer<std::uint32_t> loops_;  // self-loops of each vertex, by local number
};

}  // namespace wayfront::session
