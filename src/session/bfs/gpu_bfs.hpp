// Breadth-first searches on GPUs, as the program uses them (gpu/bfs/device_search.hpp). Free of
// CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>

#include "session/bfs/bfs_searches.hpp"
#include "session/kron_graph.hpp"

namespace wayfront::session::gpu_bfs {

/// Returns an engine on this rank's GPU for the host loop. The engine uses at most `most_bytes`
/// of device memory. The block may be destroyed afterwards. Throws ResourceError.
[[nodiscard]] std::unique_ptr<EdgeEngine> make_engine(const CsrBlock& block, std::size_t most_bytes);

/// Describes the obstacle if GPU memory does not suffice for on-GPU searches of a graph that is
/// copied to the GPUs. `nearest`: whether they start from several sources.
[[nodiscard]] plan::Obstacle upload_obstacle(const plan::EnginePlan& plan, const LoadedGraph& input,
                                             comm::GridShape grid, bool nearest);
/// Describes the obstacle if GPU memory does not suffice for on-GPU searches of a graph that
/// the GPUs construct, and for the validation of these searches.
[[nodiscard]] plan::Obstacle kron_obstacle(const plan::EnginePlan& plan, const KronGraph& graph, int ranks);

/// Copies the graph to the GPUs. Collective.
[[nodiscard]] std::unique_ptr<HostGraphBfs> make_uploaded(const ConstructedGraph& constructed,
                                                          const plan::EnginePlan& plan,
                                                          const algo::BfsOptions& options);
/// Whether the only GPU constructs the graph, since this takes less time than construction on the host.
[[nodiscard]] bool constructs(const comm::ProcessGrid& grid, const EdgeFeed& feed, const plan::EnginePlan& plan,
                              const algo::BfsOptions& options);
/// Constructs the graph of the feed on the only GPU, and sets `graph` to its numbers, without lists. Grid, graph and
/// feed outlive the searches. Null if near-far may suit the graph better because searches have enough levels
/// (graph/large_diameter.hpp): then the caller constructs the graph on the host. Pre: constructs(). Throws
/// ResourceError.
[[nodiscard]] std::unique_ptr<HostGraphBfs> make_constructed(const comm::ProcessGrid& grid, DistributedGraph& graph,
                                                             const EdgeFeed& feed, const plan::EnginePlan& plan,
                                                             const algo::BfsOptions& options);
/// Constructs the graph on the GPUs; `options` ask neither for levels nor for the smallest
/// parents. The grid outlives the searches. Collective.
[[nodiscard]] std::unique_ptr<BfsSearches> make_kron(const comm::ProcessGrid& grid, const KronGraph& graph,
                                                     const plan::EnginePlan& plan, const algo::BfsOptions& options);

}  // namespace wayfront::session::gpu_bfs
