// A graph that was constructed on the host, in device memory.
#pragma once

#include "gpu/device_graph.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

/// Whether the resident search can take this graph: undirected, over a P x 1 grid, vertices numbered below 2^31.
[[nodiscard]] bool fits_resident(const DistributedGraph& graph);

/// Copies this rank's block to the device. Pre: fits_resident. Throws ResourceError where device memory ends.
[[nodiscard]] DeviceGraph upload_graph(const DistributedGraph& graph, const Stream& stream);

}  // namespace wayfront::gpu
