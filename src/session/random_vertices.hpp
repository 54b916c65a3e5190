// Random vertices: sources of searches, and targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/generators/hash.hpp"

namespace wayfront::session {

struct RandomVertices
{
    std::size_t count = 0;
    std::uint64_t seed = 0;
    RandomPurpose purpose = RandomPurpose::sources;
    std::string option;  // the option that asks for the vertices, for messages, such as "--sources"
};

/// Returns distinct vertices that have edges: those whose random words are the smallest. They depend
/// on seed, purpose and graph alone. `ranks` are those over which the graph is distributed. Throws an
/// AgreedError if fewer vertices have edges. Collective over the ranks.
[[nodiscard]] std::vector<Vertex> draw_vertices(const comm::Communicator& ranks, const DistributedGraph& graph,
                                                const RandomVertices& wanted);

}  // namespace wayfront::session
