// Breadth-first searches of graphs of large diameter on one GPU: by the windows of near-far
// (gpu/sssp/search.hpp), in which a distance is a level, so that no barrier ends a level.
#pragma once

#include <memory>

#include "session/bfs/bfs_searches.hpp"

namespace wayfront::session {

/// Whether near-far takes less time than resident searches of this graph. This needs one rank, options that do
/// not force a direction, enough searches to make up for the partition of the graph, a large diameter
/// (graph/large_diameter.hpp), and enough device memory.
[[nodiscard]] bool suits_near_far(const DistributedGraph& graph, const plan::EnginePlan& plan,
                                  const algo::BfsOptions& options);

/// Whether suits_near_far() may be true of a graph that has not been constructed. `arcs`, `vertices`: upper bounds.
[[nodiscard]] bool may_suit_near_far(EdgeCount arcs, Vertex vertices, const plan::EnginePlan& plan,
                                     const algo::BfsOptions& options);

/// Copies the graph to the GPU. Null if near-far cannot divide the graph, and its vertices have 8 arcs or more or its
/// levels are small: levels are then faster than rounds. Pre: one rank. Throws ResourceError.
[[nodiscard]] std::unique_ptr<HostGraphBfs> make_near_far_bfs(const ConstructedGraph& constructed,
                                                              const plan::EnginePlan& plan,
                                                              const algo::BfsOptions& options);

}  // namespace wayfront::session
