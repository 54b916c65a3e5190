// All pairs by Dijkstra's algorithm or by delta-stepping from each source, each thread with sources of its own.
#pragma once

#include <memory>

#include "algo/apsp/rows.hpp"
#include "cpu/apsp/search_rows.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// Edges of an unweighted graph have weight 1. Keeps a copy of the graph's arcs, and memory for one
/// search a thread. Sums of floats are rounded once per edge, in the precision of the graph's
/// weights. Whole distances that do not fit the type throw InputError in collect(). Pre: the graph
/// is on one rank, and no weight is negative.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_dijkstra_rows(const DistributedGraph& graph,
                                                                    const SearchRowsOptions& options);

/// The same by delta-stepping. Each search is on one thread, with buckets of the default width. If columns are
/// selected, searches still go on to all vertices.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_delta_stepping_rows(const DistributedGraph& graph,
                                                                          const SearchRowsOptions& options);

/// An estimate of the bytes that a producer allocates besides a batch.
[[nodiscard]] double dijkstra_rows_bytes(double vertices, double arcs, int threads);
[[nodiscard]] double delta_stepping_rows_bytes(double vertices, double arcs, int threads);

}  // namespace wayfront::cpu
