// Engines of all pairs on a GPU (algo/apsp/rows.hpp). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/row_combination.hpp"
#include "algo/apsp/rows.hpp"
#include "gpu/apsp/batched_search.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

struct RowEngineOptions
{
    algo::DistanceType type = algo::DistanceType::int32;  // uint16 or int32, or float32 for float weights
    double most_distance = 0;                             // no whole distance is greater
    std::size_t memory_bytes = 0;                         // of rows in device memory, at most
};

/// Searches from each source, by a thread block each, in batches that fit the memory. Pre:
/// row_search_obstacle() finds nothing; all distances fit the type. The graph may be destroyed
/// afterwards. Throws InputError or ResourceError.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_row_searches(const DistributedGraph& graph, const RowEngineOptions& options);

/// Searches as the papers do, many sources at once or one after the other (batched_search.hpp). Pre: no
/// weight is negative, and weights and distances have 32 bits.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_batched_searches(const DistributedGraph& graph, const RowEngineOptions& options,
                                                                       BatchedMode mode, std::uint32_t sources = 32);

/// Numbers of edges as distances, as uint16, whatever the weights: breadth-first search from many
/// sources at once (bit_parallel.hpp). Summaries are counted without rows.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_hop_rows(const DistributedGraph& graph, const RowEngineOptions& options);

/// Makes the whole matrix in device memory when the first row is asked for: searches from some
/// vertices, and combines the rows of the others from theirs. Pre: as above, and the weights are
/// whole numbers; the graph outlives the engine.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_combined_matrix(const DistributedGraph& graph, const RowEngineOptions& options);

/// Makes the whole matrix in device memory by blocked Floyd-Warshall when the first row is asked for.
/// Weights may be negative, if there is no negative cycle and distances are less than 2^28 in
/// magnitude. The graph outlives the engine.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_floyd_warshall_matrix(const DistributedGraph& graph, const RowEngineOptions& options);

/// Bytes of device memory that the matrix of such an engine takes.
[[nodiscard]] std::size_t combined_matrix_bytes(std::size_t vertices, algo::DistanceType type);

}  // namespace wayfront::gpu
