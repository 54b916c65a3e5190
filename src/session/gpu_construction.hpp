// Construction of a graph from its edges on a single GPU. The host then builds no adjacency lists.
#pragma once

#include <cstdint>

#include "gpu/construction/edge_construction.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"
#include "plan/engine_plan.hpp"

namespace wayfront::session {

/// Whether the GPU constructs the graph of this feed. This needs a single rank, a plan with a resident search,
/// weights of a type that the GPU constructs, and enough GPU memory. A feed in host memory also needs so many edges
/// that the GPU takes less time than the host. `weights`: none if the graph gets no weights.
[[nodiscard]] bool gpu_constructs(const comm::Communicator& world, const plan::EnginePlan& plan, const EdgeFeed& feed,
                                  WeightType weights);

/// The host's part of a graph that a GPU has constructed: the numbering and the degrees of the vertices, without
/// adjacency lists.
[[nodiscard]] DistributedGraph numbers_of(const EdgeFeed& feed, gpu::construction::HostNumbers numbers,
                                          std::int64_t connected_vertices, EdgeCount arcs);

}  // namespace wayfront::session
