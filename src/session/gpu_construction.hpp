// Graphs that one GPU constructs from an edge list, so that the host makes no lists.
#pragma once

#include <cstdint>

#include "gpu/construction/edge_construction.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"
#include "plan/engine_plan.hpp"

namespace wayfront::session {

/// Whether the GPU of the only rank constructs the graph of this feed, if its searches allow it. Edges that are
/// in its memory are always constructed there, and those of the host if there are so many that this takes
/// less time. `weights`: none if they are not wanted.
[[nodiscard]] bool gpu_constructs(const comm::Communicator& world, const plan::EnginePlan& plan, const EdgeFeed& feed,
                                  WeightType weights);

/// The graph of a feed on the host if a GPU has constructed it: numbers, without lists.
[[nodiscard]] DistributedGraph numbers_of(const EdgeFeed& feed, gpu::construction::HostNumbers numbers,
                                          std::int64_t connected_vertices, EdgeCount arcs);

}  // namespace wayfront::session
