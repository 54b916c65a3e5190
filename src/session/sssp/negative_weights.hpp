// Edges of negative weight in the input.
#pragma once

#include <vector>

#include "comm/communicator.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::session {

/// Whether an edge of any rank has a negative weight. Collective.
[[nodiscard]] bool has_negative_weights(const comm::Communicator& world, const EdgeFeed& feed);

/// The vertices that have an edge of negative weight to themselves. Construction drops such edges,
/// but each of them is a cycle of negative length.
class NegativeLoops
{
public:
    /// There are none in a graph without negative weights.
    NegativeLoops() = default;
    /// Collective.
    NegativeLoops(const comm::Communicator& world, const Partition& partition, const EdgeFeed& feed);

    /// The first of these vertices that a search reached; kUnreached if it reached none. `parents`
    /// are those of the rank's vertices, by local number. Collective.
    [[nodiscard]] Vertex first_reached(const comm::Communicator& world, const Partition& partition,
                                       const VertexArray& parents) const;

private:
    std::vector<std::uint32_t> own_;  // local numbers of the rank's vertices with such a loop
};

}  // namespace wayfront::session
