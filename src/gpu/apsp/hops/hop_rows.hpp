// Rows of numbers of edges, and their summaries, by breadth-first search on a GPU. Free of CUDA's
// headers.
#pragma once

#include <cstddef>
#include <memory>

#include "comm/communicator.hpp"
#include "gpu/apsp/rows/row_maker.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

/// Makes a maker. Its summaries need no rows (bit_parallel.hpp). `ranks`: the ranks that may
/// summarise together; null: no other ranks. Graph and ranks outlive the maker. Throws
/// ResourceError.
[[nodiscard]] std::unique_ptr<RowMaker> make_hop_rows(const DistributedGraph& graph, std::size_t spare_bytes,
                                                      const comm::Communicator* ranks);

/// RowMaker::summary_sources() for a graph.
[[nodiscard]] std::size_t hop_summary_sources(std::size_t vertices);

/// An upper bound of the maker's device memory in bytes without spare memory. `rows`: whether rows
/// are wanted.
[[nodiscard]] std::size_t hop_rows_bytes(std::size_t vertices, std::size_t arcs, bool rows, double most_distance);

}  // namespace wayfront::gpu::apsp
