// Breadth-first searches on GPUs, as the program uses them (gpu/bfs/device_search.hpp). Free of
// CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>

#include "app/search/bfs_searches.hpp"
#include "app/search/kron_graph.hpp"

namespace wayfront::app {

class GpuBfs
{
public:
    virtual ~GpuBfs() = default;

    /// Returns an engine on this rank's GPU for the host loop. The engine uses at most `most_bytes`
    /// of device memory. The block may be destroyed afterwards. Throws ResourceError.
    [[nodiscard]] virtual std::unique_ptr<EdgeEngine> make_engine(const CsrBlock& block, std::size_t most_bytes) const = 0;

    /// Describes the obstacle if GPU memory does not suffice for on-GPU searches of a graph that is
    /// copied to the GPUs.
    [[nodiscard]] virtual Obstacle upload_obstacle(const EnginePlan& plan, Vertex vertices, EdgeCount edges, int ranks) const = 0;
    /// Describes the obstacle if GPU memory does not suffice for on-GPU searches of a graph that
    /// the GPUs construct, and for the validation of these searches.
    [[nodiscard]] virtual Obstacle kron_obstacle(const EnginePlan& plan, const KronGraph& graph, int ranks) const = 0;

    /// Copies the graph to the GPUs. Grid, graph and feed outlive the searches. Collective.
    [[nodiscard]] virtual std::unique_ptr<HostGraphBfs> make_uploaded(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                                      const EdgeFeed& feed, const EnginePlan& plan,
                                                                      const algo::BfsOptions& options) const = 0;
    /// Constructs the graph on the GPUs; `options` ask neither for levels nor for the smallest
    /// parents. The grid outlives the searches. Collective.
    [[nodiscard]] virtual std::unique_ptr<BfsSearches> make_kron(const comm::ProcessGrid& grid, const KronGraph& graph, const EnginePlan& plan,
                                                                 const algo::BfsOptions& options) const = 0;
};

/// Exists in a build with CUDA only.
[[nodiscard]] const GpuBfs& gpu_bfs();

}  // namespace wayfront::app
