// A graph that was constructed on the host, in device memory.
#pragma once

#include "gpu/graph/device_graph.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

/// Copies this rank's block to the device. Pre: an undirected graph over a P x 1 grid, vertices numbered below 2^31. Throws ResourceError where
/// device memory ends.
[[nodiscard]] DeviceGraph upload_graph(const DistributedGraph& graph, const Stream& stream);

}  // namespace wayfront::gpu
