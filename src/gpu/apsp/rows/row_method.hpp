// The methods that make rows of all pairs on a GPU, as values. Free of CUDA's headers.
//
// A new method is a static member of RowMethod, and a file that contains its definition and its
// RowMaker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/elimination.hpp"
#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

class RowMaker;
struct RowEngineOptions;

/// The obstacle to methods that add weights in another order than a search does.
inline constexpr const char* kOtherRoundings = "weights are floats, whose sums would be rounded in another order";

struct RowMethod
{
    bool is_floyd_warshall = false;  // whether weights may be negative, without a negative cycle
    bool counts_edges = false;       // whether distances are numbers of edges, in rows of uint16
    bool fills_matrix = false;       // whether one GPU computes the whole matrix and keeps it

    /// The reason why the method does not suit a graph whose distances fit the rows; empty if it
    /// does.
    std::string (*obstacle)(const DistributedGraph& graph, const RowEngineOptions& options) = nullptr;
    /// An upper bound of the maker's device memory in bytes, without the buffers of the producer.
    std::size_t (*bytes)(const DistributedGraph& graph, const RowEngineOptions& options) = nullptr;
    /// Makes the maker. Pre: there is no obstacle. The graph outlives the maker. Throws InputError
    /// or ResourceError.
    std::unique_ptr<RowMaker> (*make)(const DistributedGraph& graph, const RowEngineOptions& options) = nullptr;
    /// Number of sources that are summarised at a time if rows are not wanted; null if the method
    /// makes rows for a summary.
    std::size_t (*summary_sources)(const RowEngineOptions& options, std::size_t vertices) = nullptr;

    // Elimination of vertices, and one pass over the tree for each source (elimination_search.hpp).
    static const RowMethod elimination;
    // A search from each source by a thread block (device_rows.hpp).
    static const RowMethod block;
    // Pushes and pulls from several sources concurrently, each on some of the multiprocessors
    // (push_pull_rows.hpp).
    static const RowMethod push_pull;
    // The whole matrix: searches from some vertices; the other rows are combined from theirs
    // (combined_rows.hpp).
    static const RowMethod combined;
    // The whole matrix by Floyd-Warshall in tiles (floyd_warshall.hpp).
    static const RowMethod floyd_warshall;
    static const RowMethod floyd_warshall_steps;  // Floyd-Warshall in the paper's tiles, three kernels a step
    static const RowMethod floyd_warshall_tasks;  // Floyd-Warshall in the paper's tiles, one kernel
    // Numbers of edges, from many sources at once (bit_parallel.hpp). Summaries need no rows.
    static const RowMethod bit_parallel;
    static const RowMethod batched;           // Bellman-Ford from many sources at once (batched_search.hpp)
    static const RowMethod batched_unshared;  // `batched` without shared memory
    static const RowMethod iterated;          // Bellman-Ford from one source after the other
};

struct RowEngineOptions
{
    const RowMethod* method = &RowMethod::block;
    algo::DistanceType type = algo::DistanceType::int32;
    // Largest magnitude of whole distances.
    double most_distance = 0;
    // Whether rows are wanted, or only a summary.
    bool rows = true;
    std::size_t sources = 0;  // number of this rank's sources, or an upper bound; 0: not known
    // Number of sources in a batch of the batched methods; a multiple of 32.
    std::uint32_t batch_sources = 32;
    std::shared_ptr<const algo::Elimination> elimination = nullptr;  // tree of the method `elimination`
    // Additional device memory, in bytes, which some engines use to be faster.
    std::size_t spare_bytes = 0;
    // Limit of the device memory, in bytes, for rows that wait to be copied; one row always fits.
    std::size_t row_buffer_bytes = 0;
    // See RowSearchOptions::shared_bytes.
    std::size_t shared_bytes = 0;
    // The ranks that may summarise together, each with an engine for the same graph. The
    // communicator outlives the engine. Null: no other ranks.
    const comm::Communicator* ranks = nullptr;
};

}  // namespace wayfront::gpu::apsp
