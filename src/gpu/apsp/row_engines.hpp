// Engines of all pairs on a GPU (algo/apsp/rows.hpp). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/elimination.hpp"
#include "algo/apsp/rows.hpp"
#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

enum class RowMethod : std::uint8_t {
    // One pass over the tree of eliminated vertices for each source (elimination_search.hpp).
    elimination,
    // A search from each source, by a thread block (device_rows.hpp).
    block,
    // Pushes and pulls from several sources at once, each by some blocks (push_pull_rows.hpp).
    push_pull,
    // The whole matrix: searches from some vertices, and the other rows, which follow from theirs
    // (device_rows.hpp).
    combined,
    // The whole matrix, in tiles (floyd_warshall.hpp); weights may be negative if there is no
    // negative cycle.
    floyd_warshall,
    floyd_warshall_steps,  // the same in the paper's tiles, three kernels a step
    floyd_warshall_tasks,  // the same, one kernel
    // Numbers of edges, from many sources at once (bit_parallel.hpp); summaries are counted without
    // rows.
    bit_parallel,
    batched,           // Bellman-Ford from many sources at once (batched_search.hpp)
    batched_unshared,  // the same without shared memory
    iterated,          // Bellman-Ford from one source after the other
};

struct RowEngineOptions
{
    RowMethod method = RowMethod::block;
    algo::DistanceType type = algo::DistanceType::int32;
    // The largest magnitude of whole distances.
    double most_distance = 0;
    // Whether rows are wanted; otherwise a summary is enough.
    bool rows = true;
    std::size_t sources = 0;  // of this rank, or an upper bound; 0: not known
    // The sources of a batch of the batched methods; a multiple of 32.
    std::uint32_t batch_sources = 32;
    std::shared_ptr<const algo::Elimination> elimination = nullptr;  // of that method
    // Further bytes of device memory, which some engines use to be faster.
    std::size_t spare_bytes = 0;
    // The most bytes of device memory for rows that wait to be copied; one row always fits.
    std::size_t row_buffer_bytes = 0;
    // RowSearchOptions::shared_bytes.
    std::size_t shared_bytes = 0;
    // The ranks that may summarise together, each with an engine for the same graph; they outlive
    // the engine. Null: none.
    const comm::Communicator* ranks = nullptr;
};

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
