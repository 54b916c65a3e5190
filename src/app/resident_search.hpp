// Searches on GPUs, as the driver uses them: whole searches inside a kernel (gpu/resident/search.hpp), one rank a GPU. Free of CUDA's headers.
//
// resident_search.cpp is compiled where there is CUDA, resident_search_none.cpp where there is none: there visible_gpus() is 0, and the rest is never
// called.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/engine_factory.hpp"
#include "app/graph_input.hpp"
#include "app/prepared_search.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::app {

[[nodiscard]] bool built_with_cuda();

/// GPUs that this rank can see.
[[nodiscard]] int visible_gpus();

/// Makes GPU `local_rank` (modulo their number) this rank's own. Throws ResourceError.
[[nodiscard]] Engine use_gpu(int local_rank);

/// Why these ranks cannot search resident; empty where they can. Collective; the same on all ranks.
[[nodiscard]] std::string resident_obstacle(const comm::ProcessGrid& grid);

/// Why the resident search cannot take a graph that is constructed on the host; empty where it can.
[[nodiscard]] std::string resident_obstacle(const Job& job, const Engine& engine, const LoadedGraph& input);

/// A Kronecker graph that GPUs construct: its tuples are made in every pass over them and stored nowhere.
struct KronGraph
{
    KronParameters parameters;
    EdgeCount tuples = 0;

    [[nodiscard]] Vertex vertices() const { return Vertex{1} << parameters.scale; }
};

/// Why the GPUs' memory cannot hold this graph, its construction, its searches and their validation; empty where it can.
[[nodiscard]] std::string kron_obstacle(const Job& job, const Engine& engine, const KronGraph& graph);

/// Copies the graph to the GPUs. Grid, graph and feed outlive the search. Collective.
std::unique_ptr<PreparedSearch> make_uploaded_search(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed,
                                                     const Engine& engine, const algo::BfsOptions& options);

/// Constructs the graph on the GPUs; of `options`, levels and smallest parents are not to be had. The grid outlives the search. Collective.
std::unique_ptr<PreparedSearch> make_kron_search(const comm::ProcessGrid& grid, const KronGraph& graph, const Engine& engine,
                                                 const algo::BfsOptions& options);

}  // namespace wayfront::app
