// Random sources of searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::session {

/// Returns `count` distinct vertices that have edges: those whose random words are the smallest. They
/// depend on `seed` and the graph alone. `ranks` are those over which the graph is distributed. Throws
/// an AgreedError if fewer vertices have edges. Collective over the ranks.
[[nodiscard]] std::vector<Vertex> draw_sources(const comm::Communicator& ranks, std::size_t count,
                                               const DistributedGraph& graph, std::uint64_t seed);

}  // namespace wayfront::session
