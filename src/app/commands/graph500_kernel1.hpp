// The edge list of a Graph500 run, and kernel 1: from it to all that searches need.
//
// Two ways. On the host: the ranks make or read the edge list, which is timed as its generation, and construct the graph from it; GPUs that search
// get a copy. On GPUs, for Kronecker graphs: there is no edge list; every pass of construction makes the tuples it reads, and the time of that is
// kernel 1's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/io/graph_input.hpp"
#include "app/job.hpp"
#include "app/search/prepared_search.hpp"
#include "app/search/search_options.hpp"
#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront::app {

struct Kernel1
{
    Kernel1() = default;
    Kernel1(const Kernel1&) = delete;  // feed and search refer to the rest
    Kernel1& operator=(const Kernel1&) = delete;

    std::optional<comm::ProcessGrid> grid;
    LoadedGraph input;
    Vertex key_range = 0;  // the N among which the benchmark draws its keys: the generator's, before kernel 1 looks for the largest vertex
    bool on_gpus = false;  // the graph was constructed there: `input` has no edges, and there is neither feed nor graph
    std::unique_ptr<ListFeed> feed;
    std::unique_ptr<DistributedGraph> graph;
    std::unique_ptr<PreparedSearch> search;

    double generation_seconds = 0;
    double construction_seconds = 0;
    std::optional<std::int64_t> peak_bytes;  // of all ranks: of device memory on GPUs, else of the hosts' above the edge list
};

/// `graph` names the input, an undirected one; `engine` is what searches unless that graph is in its way. Spans go to `log`. Throws an AgreedError
/// before any work where the engine that was asked for is not there or memory will not do. Collective.
std::unique_ptr<Kernel1> run_kernel1(const Job& job, const GraphOptions& graph, const SearchOptions& options, Engine engine, PhaseLog* log);

}  // namespace wayfront::app
