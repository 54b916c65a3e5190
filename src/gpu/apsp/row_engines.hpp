// Engines of all pairs on a GPU (algo/apsp/rows.hpp). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "algo/apsp/rows.hpp"
#include "gpu/apsp/rows/row_method.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

/// Why the engine cannot compute the distances of a graph, apart from the memory that it needs, in
/// words; empty if it can.
[[nodiscard]] std::string row_engine_obstacle(const DistributedGraph& graph, const RowEngineOptions& options);

/// Whether the distances of a search by a thread block fit its shared memory in any graph with as
/// many vertices.
[[nodiscard]] bool row_searches_fit_shared_memory(const DistributedGraph& graph);

/// The bytes of device memory that the engine takes at most if row_buffer_bytes and spare_bytes are
/// 0.
[[nodiscard]] std::size_t row_engine_bytes(const DistributedGraph& graph, const RowEngineOptions& options);

/// Makes an engine on this process's GPU. The graph outlives it. Throws InputError or
/// ResourceError. Pre: the graph is on one rank, and row_engine_obstacle() finds nothing.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_row_engine(const DistributedGraph& graph,
                                                                 const RowEngineOptions& options);

}  // namespace wayfront::gpu::apsp
