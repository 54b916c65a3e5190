// How skewed the degrees of a graph are.
#pragma once

#include "comm/communicator.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront {

/// An estimate, from a sample of the edges, of the mean degree of the vertices at the ends of edges:
/// the sum of the squares of the degrees, divided by their sum. In graphs whose vertices have about
/// as many edges each, it is little more than the mean degree; in social networks, many times as
/// much. An edge counts at both ends, whether it is directed or not, and so do duplicates;
/// self-loops do not. 0 if there are no edges. Collective; equal on all ranks.
[[nodiscard]] double estimate_end_degree(const comm::Communicator& world, const EdgeFeed& feed);

}  // namespace wayfront
