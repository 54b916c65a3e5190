// How skewed the degrees of a graph are.
#pragma once

#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront {

/// Sums over vertices, from which mean degrees follow.
struct DegreeSums
{
    double vertices = 0;  // the number of vertices with edges
    double edges = 0;
    double squares = 0;  // the sum of the squares of the degrees

    /// The mean degree of the vertices with edges, and of those at the ends of edges, where a vertex
    /// counts once for each of its edges; at least 1.
    [[nodiscard]] double mean() const { return vertices > 0 ? edges / vertices : 1; }
    [[nodiscard]] double mean_at_ends() const { return edges > 0 ? squares / edges : 1; }
};

/// The sums of the degrees of this rank's vertices.
[[nodiscard]] DegreeSums sum_degrees(std::span<const std::uint32_t> degrees);

/// An estimate, from a sample of the edges, of the mean degree of the vertices at the ends of edges:
/// the sum of the squares of the degrees, divided by their sum. In graphs whose vertices have
/// similar degrees, it is little more than the mean degree; in social networks, it is a multiple of the
/// mean degree. An edge counts at both ends, whether it is directed or not, and so do duplicates;
/// self-loops do not. 0 if there are no edges. Collective; equal on all ranks.
[[nodiscard]] double estimate_end_degree(const comm::Communicator& world, const EdgeFeed& feed);

}  // namespace wayfront
