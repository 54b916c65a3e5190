// The edges that a validation passes over, and the ranks among which it divides them.
#pragma once

#include <cstddef>

#include "comm/communicator.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"

namespace wayfront::graph500 {

/// All of these outlive the object.
struct CheckedEdges
{
    const comm::Communicator& communicator;
    const Partition& partition;  // of the vertices among the communicator's ranks
    const EdgeFeed& feed;        // this rank's share
    std::size_t chunk;           // edges of a share that are checked at a time, the same number on all ranks
};

/// An edge between vertices with results.
template <typename Label, typename Weight>
struct LabelledEdge
{
    Edge edge;
    Label source;
    Label target;
    Weight weight;
};

}  // namespace wayfront::graph500
