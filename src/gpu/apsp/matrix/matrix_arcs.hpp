// The arcs of a graph as elements of a matrix of distances. Free of CUDA's headers.
#pragma once

#include "base/host_buffer.hpp"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

/// All arcs of the graph, with the input's numbers of vertices. A whole weight above the range of
/// int32 is in no shortest path, and becomes the largest int32. Pre: the graph is on one rank.
[[nodiscard]] HostBuffer<MatrixArc> matrix_arcs(const DistributedGraph& graph);

[[nodiscard]] bool has_negative_weight(const DistributedGraph& graph);

}  // namespace wayfront::gpu::apsp
