// A bound of all distances of a graph, found before the search, so that the type of the distances
// can be chosen such that none of them overflows.
#pragma once

#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// No distance has a greater magnitude. Two bounds are computed, and the smaller one is returned:
///   * a simple path enters each vertex at most once, so that no path is longer than the sum, over
///     all vertices, of the largest weight of their in-edges;
///   * from u to v it is at most as far as through a vertex r: if r reaches all vertices that have
///     edges and all of them reach r, distances are at most the largest distance to r and the
///     largest from r together. In an undirected graph this holds for each component.
/// Weights that are negative count by their magnitude, and only the first bound is used for them.
/// The graph is on one rank, and its weights are none, uint32 or int64.
[[nodiscard]] double distance_bound(const DistributedGraph& graph);

}  // namespace wayfront::cpu
