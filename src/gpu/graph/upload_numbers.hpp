// Copies the numbers of a graph's vertices to device memory, in the device's numbering.
#pragma once

#include <cstdint>

#include "gpu/graph/column_numbers.hpp"
#include "gpu/runtime/buffer.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

/// The numbering that the host gives to the columns of a graph over a P x 1 grid.
[[nodiscard]] HostColumns host_columns(const DistributedGraph& graph);

/// The input's number of each column; ~0 for columns without a vertex. Throws InputError if the
/// graph has more than 2^31 vertices. Returns when the copy is complete.
[[nodiscard]] DeviceBuffer<std::uint32_t> upload_vertices_of_columns(const DistributedGraph& graph,
                                                                     const ColumnNumbers& columns,
                                                                     const Stream& stream);

/// The slots of this rank's vertices by local number; columns.slot_stride for a vertex without
/// edges. Returns when the copy is complete.
[[nodiscard]] DeviceBuffer<std::uint32_t> upload_slots(const DistributedGraph& graph, const ColumnNumbers& columns,
                                                       const Stream& stream);

}  // namespace wayfront::gpu
