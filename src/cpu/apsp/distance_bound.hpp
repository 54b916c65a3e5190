// A bound of all distances of a graph, found before the search, so that the type of the distances
// can be chosen such that none of them overflows.
#pragma once

#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

struct DistanceBound
{
    double at_most = 0;   // no distance has a greater magnitude
    double at_least = 0;  // some distance is as large
};

/// Two upper bounds are computed, and the smaller one is returned:
///   * a simple path enters each vertex at most once, so that no path is longer than the sum, over
///     all vertices, of the largest weight of their in-edges;
///   * from u to v it is at most as far as through a vertex r: if r reaches all vertices that have
///     edges and all of them reach r, distances are at most the largest distance to r and the
///     largest from r together. In an undirected graph this holds for each component.
/// Weights that are negative count by their magnitude, and only the first bound is used for them; the
/// lower bound is 0 then.
/// The graph is on one rank, and its weights are none, uint32 or int64.
[[nodiscard]] DistanceBound bound_distances(const DistributedGraph& graph);

}  // namespace wayfront::cpu
