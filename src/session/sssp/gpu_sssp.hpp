// Shortest paths on GPUs, as the program uses them: on GPUs that search on their own
// (gpu/sssp/search.hpp), or over any grid of ranks (gpu/sssp/grid/steps.hpp). Free of
// CUDA's headers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "algo/sssp/sssp_search.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"
#include "plan/engine_plan.hpp"
#include "session/kron_graph.hpp"
#include "session/sssp/sssp_searches.hpp"

namespace wayfront::session::gpu_sssp {

/// A search on GPUs, and the GPU memory that it uses on this rank; or a search on the cores.
struct PreparedSsspSearch
{
    std::unique_ptr<algo::SsspSearch> search;
    bool on_device = false;
    std::size_t graph_bytes = 0;
    std::size_t state_bytes = 0;
    std::string transport;                    // between GPUs, as reports name it
    std::size_t construction_peak_bytes = 0;  // the peak of GPU memory; 0 if the host constructed the graph
    std::function<SsspOnGpu()> on_gpu{};      // empty if results are never on one GPU alone
};

/// Describes the obstacle if GPU memory does not suffice for searches by the method in a graph
/// of this size over `ranks` ranks. `nearest`: whether they start from several sources, on one rank.
[[nodiscard]] plan::Obstacle memory_obstacle(const plan::EnginePlan& plan, algo::SsspMethod method,
                                             const LoadedGraph& input, int ranks, bool nearest);

/// Describes the obstacle if the GPU memory of a rank does not suffice for its block, which may
/// have more than an equal share of the arcs. Collective; the result is equal on all ranks.
[[nodiscard]] plan::Obstacle share_obstacle(const plan::EnginePlan& plan, const comm::ProcessGrid& grid,
                                            const DistributedGraph& graph);

/// Describes the obstacle if GPU memory does not suffice for searches of a Kronecker graph that
/// the GPUs construct, and for their validation.
[[nodiscard]] plan::Obstacle kron_obstacle(const plan::EnginePlan& plan, const KronGraph& graph, int ranks);

/// Constructs a Kronecker graph on the GPUs, which search by push-pull, and check the results.
/// The grid, of one column, outlives the searches. Collective. Throws ResourceError.
[[nodiscard]] std::unique_ptr<SsspSearches> make_kron(const comm::ProcessGrid& grid, const KronGraph& graph,
                                                      const SsspPlan& plan, const algo::SsspOptions& options);

/// The shared memory per thread block that searches by push-pull need if GPUs reach each other's memory.
[[nodiscard]] std::size_t shared_bytes_of_peers(int ranks);

/// Copies the graph to the GPUs, which search by `engine`. `make_wide` makes a search on the cores for distances that
/// the GPU cannot represent: whole-number distances of more than 32 bits. If float distances may be infinite, this
/// search is returned. Pre: options.method is push_pull, with lists sorted by weight, or a method that needs a GPU, on
/// one rank. With several ranks, the grid has one column. Weights are uint32 or float32, and not negative unless the
/// method is fixed_order. Grid and graph outlive the search. Collective. Throws InputError or ResourceError.
[[nodiscard]] PreparedSsspSearch make(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                      const plan::EnginePlan& engine, const algo::SsspOptions& options,
                                      std::function<std::unique_ptr<algo::SsspSearch>()> make_wide);

/// Whether make_constructed() takes less time than construction on the host and make(), which may find that near-far
/// suits the graph better.
[[nodiscard]] bool constructs(const comm::ProcessGrid& grid, const EdgeFeed& feed, const plan::EnginePlan& engine,
                              const algo::SsspOptions& options);
/// Constructs the graph of the feed on the only GPU, which searches it, and sets `graph` to its numbers, without lists.
/// `make_wide` as above, but called by searches only. The result has no search if float distances may be infinite: the
/// host is to construct the graph then. Grid, graph and feed outlive the search. Pre: constructs(); no weight is
/// negative. Throws ResourceError.
[[nodiscard]] PreparedSsspSearch make_constructed(const comm::ProcessGrid& grid, DistributedGraph& graph,
                                                  const EdgeFeed& feed, const algo::SsspOptions& options,
                                                  std::function<std::unique_ptr<algo::SsspSearch>()> make_wide);

/// Prepares searches over any grid of ranks whose rounds the hosts drive, with distances on the GPU
/// of each rank, which take at most `most_bytes` of its memory. All weights and graphs are
/// supported. Grid and graph outlive the search. Throws InputError or an AgreedError.
/// Collective over the grid's world.
[[nodiscard]] PreparedSsspSearch make_grid(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                           const algo::SsspOptions& options, std::size_t most_bytes);

}  // namespace wayfront::session::gpu_sssp
