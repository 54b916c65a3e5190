// The edge list of a Graph500 run, and kernel 1, which constructs from it the structures that
// searches need.
//
// There are two ways. On the hosts, the ranks generate or read the edge list, which is timed as its
// generation, and construct the graph from it; GPUs that search get a copy of the graph. On the
// GPUs, for Kronecker graphs, there is no edge list: every pass of the construction makes the
// tuples that it reads, and the time of making them counts for kernel 1.
//
// If shortest paths are searched, the edges have weights. A GPU constructs the graph for them on
// one rank; if it searches breadth-first, too, it constructs another graph for that, without
// weights. On the hosts there is one graph for both kernels; its lists have the order that shortest
// paths need.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/phase.hpp"
#include "job/job.hpp"
#include "plan/search_options.hpp"
#include "session/bfs/bfs_searches.hpp"
#include "session/input/graph_input.hpp"
#include "session/prepared_graph.hpp"
#include "session/sssp/sssp_searches.hpp"

namespace wayfront::session {

/// The kernels that search.
struct Kernels
{
    bool bfs = true;
    bool sssp = false;
};

struct Kernel1Options
{
    Kernels kernels;
    plan::SearchOptions search;
    plan::SsspMethodOptions sssp;
    std::optional<plan::EnginePlan> asked_sssp;  // asked_engine() of shortest paths

    /// Whether the options ask for GPUs that search for shortest paths.
    [[nodiscard]] bool asks_gpus_for_sssp() const { return asked_sssp && asked_sssp->engine != Engine::cpu; }
};

struct Kernel1 : PreparedGraph
{
    // The benchmark draws its keys from [0, key_range): the generator's number of vertices, as
    // known before kernel 1 looks for the largest vertex.
    Vertex key_range = 0;
    // The peak of all ranks: of device memory if GPUs construct the graph, otherwise of the hosts'
    // memory in addition to the edge list.
    std::optional<std::int64_t> peak_bytes;
    std::unique_ptr<BfsSearches> bfs;    // null if breadth-first searches are not wanted
    std::unique_ptr<SsspSearches> sssp;  // null if shortest paths are not wanted
    ListOrder list_order = ListOrder::neighbours;

    [[nodiscard]] std::int64_t connected_vertices() const
    {
        return bfs ? bfs->facts().connected_vertices : sssp->facts().connected_vertices;
    }
    [[nodiscard]] const TimedSearch& searches() const { return bfs ? static_cast<const TimedSearch&>(*bfs) : *sssp; }
};

/// `graph` names an undirected graph, which has weights if shortest paths are searched. It is
/// searched by `plan`, unless the graph itself is an obstacle. Spans are added to `log`. Throws an
/// AgreedError before any work is done if the requested engine is not available, or if memory does
/// not suffice. Collective.
std::unique_ptr<Kernel1> run_kernel1(const job::Job& job, const GraphOptions& graph, const Kernel1Options& options,
                                     plan::EnginePlan plan, PhaseLog* log);

}  // namespace wayfront::session
