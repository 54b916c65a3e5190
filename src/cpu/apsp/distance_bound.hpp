// A bound of all distances of a graph, found before the search, so that the type of the distances
// can be chosen such that none of them overflows.
#pragma once

#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

struct DistanceBound
{
    double at_most = 0;   // an upper bound of the distances' magnitudes
    double at_least = 0;  // a lower bound of the largest distance
};

/// The smallest of these upper bounds is returned:
///   * a simple path enters each vertex at most once, so that no path is longer than the sum, over
///     all vertices, of the largest weight of their in-edges;
///   * the way from u to v is at most as long as the way through a vertex r. If r reaches all
///     vertices that have edges and all of them reach r, no distance exceeds the largest distance
///     to r plus the largest distance from r. In an undirected graph this holds for each component.
///   * If there is no such r in a directed graph, a path through a strongly connected component is at
///     most as long as the way through a vertex r of the component, and the components and the edges
///     between them form no cycle, so that the longest sum along them is found in one pass.
/// If weights are negative, only the first bound is used, which takes their magnitudes, and the
/// lower bound is 0. Pre: the graph is on one rank, and its weights are none, uint32 or int64.
[[nodiscard]] DistanceBound bound_distances(const DistributedGraph& graph);

/// The same upper bound for weights that are floats, with an allowance for the rounding of all sums, in
/// any order. Pre: the graph is on one rank, and no weight is negative.
[[nodiscard]] double most_float_distance(const DistributedGraph& graph);

/// No distance other than 0 is smaller; infinite if all weights are 0. Pre: the graph is on one rank, and
/// no weight is negative.
[[nodiscard]] double least_positive_weight(const DistributedGraph& graph);

}  // namespace wayfront::cpu
