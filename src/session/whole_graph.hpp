// A graph whose edges are all on each rank, for algorithms whose ranks work on their own.
#pragma once

#include <cstdint>
#include <memory>

#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"
#include "graph/edge_list.hpp"
#include "job/job.hpp"

namespace wayfront::session {

/// The edges of all ranks, in the order of ranks. Throws an AgreedError if they do not fit the
/// memory. Collective.
[[nodiscard]] EdgeList gather_edges(const job::Job& job, EdgeList share);

/// The same edges as a feed, with the weights of `share`, which each rank reads once.
[[nodiscard]] std::unique_ptr<EdgeFeed> gather_feed(const job::Job& job, const EdgeFeed& share);

/// A number that almost always differs between different graphs, and does not depend on the order
/// of the edges. `list` has all edges.
[[nodiscard]] std::uint64_t fingerprint_of_edges(const EdgeList& list);

/// A graph constructed on this rank alone. Move-only; the grid outlives the graph.
struct WholeGraph
{
    std::unique_ptr<comm::ProcessGrid> grid;
    std::unique_ptr<DistributedGraph> graph;
};

/// Constructs the graph of a feed that has all edges, on each rank. Throws an AgreedError. Collective.
[[nodiscard]] WholeGraph construct_whole(const job::Job& job, const EdgeFeed& all);

}  // namespace wayfront::session
