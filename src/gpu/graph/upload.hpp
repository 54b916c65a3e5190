// Copies a graph that was constructed on the host to device memory.
#pragma once

#include "gpu/graph/device_graph.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

/// Copies this rank's block to the device. Pre: an undirected graph over a P x 1 grid. Throws
/// InputError if the graph has more than 2^31 vertices, ResourceError if device memory does not
/// suffice.
[[nodiscard]] DeviceGraph upload_graph(const DistributedGraph& graph, const Stream& stream);

}  // namespace wayfront::gpu
