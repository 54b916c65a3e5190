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
#include "app/search/bfs_searches.hpp"
#include "app/search/prepared_graph.hpp"
#include "app/search/search_options.hpp"
#include "base/phase.hpp"

namespace wayfront::app {

struct Kernel1 : PreparedGraph
{
    Vertex key_range = 0;                    // the N among which the benchmark draws its keys: the generator's, before kernel 1 looks for the largest
    std::optional<std::int64_t> peak_bytes;  // of all ranks: of device memory on GPUs, else of the hosts' above the edge list
    std::unique_ptr<BfsSearches> searches;
};

/// `graph` names the input, an undirected one; `plan` is what searches unless that graph is in its way. Spans go to `log`. Throws an AgreedError
/// before any work if the engine that was asked for is not there or memory does not suffice. Collective.
std::unique_ptr<Kernel1> run_kernel1(const Job& job, const GraphOptions& graph, const SearchOptions& options, EnginePlan plan, PhaseLog* log);

}  // namespace wayfront::app
