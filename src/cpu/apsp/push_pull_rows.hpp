// All pairs by pushes and pulls from each source (algo/sssp/sssp_loop.hpp), each thread with sources of
// its own. In graphs with hubs such a search reads a few hundredths of the arcs that Dijkstra's algorithm
// reads.
#pragma once

#include <memory>

#include "algo/apsp/rows.hpp"
#include "cpu/apsp/search_rows.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// Keeps a copy of the graph whose lists are sorted by weight, and memory for one search a thread. Sums of
/// floats are rounded once per edge, in the precision of the graph's weights. Whole distances that do not
/// fit the type throw InputError in collect(). Pre: the graph is on one rank, it has weights, and none is
/// negative.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_push_pull_rows(const DistributedGraph& graph,
                                                                     const SearchRowsOptions& options);

/// An estimate of the bytes that the producer allocates besides a batch.
[[nodiscard]] double push_pull_rows_bytes(const DistributedGraph& graph, int threads);

}  // namespace wayfront::cpu
