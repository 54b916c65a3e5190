// All pairs of an unweighted graph: breadth-first search from many sources at once.
//
// Each vertex has two *sets* of sources, with one bit for each source of a batch: the sources that
// have reached the vertex (seen), and those that reached it in the last level (frontier). One pass
// over the edges advances the searches from all sources of the batch. Each thread has a batch of
// its own, so that threads never wait for each other. Levels are searched
//   top-down   each vertex of the frontier adds its set to its out-neighbours
//   bottom-up  each vertex that some source has not reached collects the sets of its in-neighbours
// whichever reads less. A summary needs the number of vertices that each source reached in each
// level; these are counted in vertical counters, bit by bit, and no distance is written.
//
// M. Then, M. Kaufmann, F. Chirigati, T.-A. Hoang-Vu, K. Pham, A. Kemper, T. Neumann, H. T. Vo: The
// more the merrier: efficient multi-source graph traversal. PVLDB 8(4), 2014, pp. 449-460,
// doi:10.14778/2735496.2735507. Differences: batches are per thread, and levels are counted.
#pragma once

#include <cstddef>
#include <memory>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/rows.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

struct BitParallelOptions
{
    algo::DistanceType type = algo::DistanceType::uint16;  // of the rows
    /// The number of sources of a thread's batch: 64, 256 or 512.
    std::size_t sources_a_thread = 512;
};

/// Searches on all threads. The graph outlives the searches. Throws InputError in collect() if a
/// distance does not fit the type. Pre: the graph is on one rank and has no weights.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_bit_parallel_rows(const DistributedGraph& graph,
                                                                        const BitParallelOptions& options);

/// The bytes that a thread allocates for its searches, without rows.
[[nodiscard]] double bit_parallel_bytes(double vertices, std::size_t sources_a_thread);

}  // namespace wayfront::cpu
