// Engines of all pairs on a GPU (algo/apsp/rows.hpp). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "algo/apsp/rows.hpp"
#include "gpu/apsp/rows/row_method.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

/// The reason why the engine cannot compute the distances of a graph, apart from memory; empty if
/// it can.
[[nodiscard]] std::string row_engine_obstacle(const DistributedGraph& graph, const RowEngineOptions& options);

/// Whether a thread block's shared memory suffices for the distances of one search in any graph
/// with this number of vertices.
[[nodiscard]] bool row_searches_fit_shared_memory(const DistributedGraph& graph);

/// An upper bound of the engine's device memory, in bytes, if row_buffer_bytes and spare_bytes are
/// 0.
[[nodiscard]] std::size_t row_engine_bytes(const DistributedGraph& graph, const RowEngineOptions& options);

/// Makes an engine on this process's GPU. The graph outlives the engine. Throws InputError or
/// ResourceError. Pre: the graph is on one rank, and row_engine_obstacle() returns an empty text.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_row_engine(const DistributedGraph& graph,
                                                                 const RowEngineOptions& options);

}  // namespace wayfront::gpu::apsp
