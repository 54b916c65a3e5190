// Rows of all pairs on a GPU by pushes and pulls from each source, with several concurrent searches
// (gpu/sssp/search_lanes.hpp). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "gpu/apsp/rows/row_maker.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

/// The reason why a graph's rows cannot be made by pushes and pulls; empty if they can.
[[nodiscard]] std::string push_pull_rows_obstacle(const DistributedGraph& graph, double most_distance);

/// Copies the graph to this process's GPU. `type`: uint16 or int32; float32 for float weights.
/// Throws ResourceError. Pre: push_pull_rows_obstacle() returns an empty text.
[[nodiscard]] std::unique_ptr<RowMaker> make_push_pull_rows(const DistributedGraph& graph, algo::DistanceType type);

/// An upper bound of the device memory in bytes, without the rows.
[[nodiscard]] std::size_t push_pull_rows_bytes(const DistributedGraph& graph);

}  // namespace wayfront::gpu::apsp
