// On-GPU searches, as the driver uses them (gpu/bfs/device_search.hpp): inside a kernel, or level by level with messages between.
// Free of CUDA's headers; gpus.hpp says what a build without CUDA makes of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/io/graph_input.hpp"
#include "app/search/engine_factory.hpp"
#include "app/search/prepared_search.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::app {

/// Why these ranks' GPUs are not made for on-GPU searches, whatever the transport; empty where they are. Collective; the same on all ranks.
[[nodiscard]] std::string device_obstacle(const comm::Communicator& ranks);

/// Why these ranks cannot search resident; empty where they can. Collective; the same on all ranks.
[[nodiscard]] std::string resident_obstacle(const comm::Communicator& ranks, gpu::GpuSharing sharing);

/// gpu::connect_nccl(). Collective.
[[nodiscard]] gpu::NcclConnection connect_nccl(const comm::Communicator& ranks);

/// Why on-GPU searches cannot take a graph that is constructed on the host.
[[nodiscard]] Obstacle upload_obstacle(const Job& job, const Engine& engine, const LoadedGraph& input);

/// A Kronecker graph that GPUs construct: its tuples are made in every pass over them and stored nowhere.
struct KronGraph
{
    KronParameters parameters;
    EdgeCount tuples = 0;

    [[nodiscard]] Vertex vertices() const { return Vertex{1} << parameters.scale; }
};

/// Why the GPUs cannot construct this graph, hold it, search it and validate that.
[[nodiscard]] Obstacle kron_obstacle(const Job& job, const Engine& engine, const KronGraph& graph);

/// Copies the graph to the GPUs. Grid, graph and feed outlive the search. Collective.
std::unique_ptr<PreparedSearch> make_uploaded_search(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed,
                                                     const Engine& engine, const algo::BfsOptions& options);

/// Constructs the graph on the GPUs; of `options`, levels and smallest parents are not to be had. The grid outlives the search. Collective.
std::unique_ptr<PreparedSearch> make_kron_search(const comm::ProcessGrid& grid, const KronGraph& graph, const Engine& engine,
                                                 const algo::BfsOptions& options);

}  // namespace wayfront::app
