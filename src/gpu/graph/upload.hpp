// Copies a graph that was constructed on the host to device memory.
#pragma once

#include "gpu/graph/device_block.hpp"
#include "gpu/graph/device_graph.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/own_out_edges.hpp"

namespace wayfront::gpu {

/// Copies this rank's block of the matrix to the device, and the out-edges of its vertices if the
/// graph is directed. Pre: a P x 1 grid. Throws InputError if the graph has more than 2^31
/// vertices, and ResourceError if the device memory does not suffice.
[[nodiscard]] DeviceGraph upload_graph(const DistributedGraph& graph, const OwnOutEdges& out, const Stream& stream);

/// Copies this rank's block of the matrix to the device, for any grid. Throws as upload_graph()
/// does.
[[nodiscard]] DeviceBlock upload_block(const DistributedGraph& graph, const Stream& stream);

}  // namespace wayfront::gpu
