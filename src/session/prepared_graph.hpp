// A graph that is ready for searches by any algorithm, with its grid, the plan of its searches, and
// the times that loading and construction took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/construction_memory.hpp"
#include "graph/edge_feed.hpp"
#include "job/job.hpp"
#include "plan/engine_plan.hpp"
#include "plan/gpu_start.hpp"
#include "session/constructed_graph.hpp"
#include "session/input/graph_input.hpp"

namespace wayfront::session {

struct PreparedGraph
{
    PreparedGraph() = default;
    // The feed refers to the input, the graph to the grid.
    PreparedGraph(const PreparedGraph&) = delete;
    PreparedGraph& operator=(const PreparedGraph&) = delete;

    LoadedGraph input;
    plan::EnginePlan plan;
    std::optional<comm::ProcessGrid> grid;
    // Null if the graph was constructed on the GPUs; `input` has no edges then.
    std::unique_ptr<EdgeFeed> feed;
    std::unique_ptr<DistributedGraph> graph;
    // Whether `graph` has numbers only, and the lists are on a GPU that constructed them from `feed`. add_lists() adds
    // them.
    bool lists_on_gpu = false;

    // Times of the slowest rank.
    double load_seconds = 0;
    double construction_seconds = 0;

    /// Whether the GPUs constructed the graph.
    [[nodiscard]] bool on_gpus() const { return graph == nullptr; }
    /// Pre: not on_gpus().
    [[nodiscard]] ConstructedGraph constructed() const { return {*grid, *graph, *feed}; }
};

/// Runs f() and returns its seconds, from the time at which all ranks begin until all ranks have
/// ended. Adds a span `name` to the log. Collective.
double seconds_of(const comm::Communicator& world, PhaseLog* log, const char* name, const std::function<void()>& f);

/// `searches` of a loaded graph, by the threads of this rank and of all others.
[[nodiscard]] plan::ExpectedSearches expected_searches(const job::Job& job, const LoadedGraph& graph,
                                                       std::int64_t searches);

/// The size of a loaded graph over a grid, with weights of this type.
[[nodiscard]] ConstructionSize construction_size(comm::GridShape grid, const LoadedGraph& graph, WeightType weights);

/// Throws an AgreedError if the memory of a host does not suffice for the peak of construct() with
/// weights of this type, or for the second copy of the edges that an engine makes if it shares a
/// block. Collective.
void require_construction_memory(const job::Job& job, comm::GridShape grid, const LoadedGraph& graph,
                                 const plan::EnginePlan& plan, WeightType weights = WeightType::none);

/// The bytes that a validator on the hosts takes on each rank: most_bytes(ranks, edges of a share,
/// vertices of a rank).
using ValidatorBytes = double(int, std::size_t, double);

/// Throws an AgreedError if the memory of a host does not suffice for the validator with these
/// `most_bytes`. Collective.
void require_validation_memory(const job::Job& job, const LoadedGraph& graph, ValidatorBytes* most_bytes);

struct HostConstruction
{
    ListOrder list_order = ListOrder::neighbours;
    /// Whether the graph has the vertices up to the largest one that an edge names, not as many as the input says.
    bool find_vertex_count = false;
    PhaseLog* log = nullptr;
};

/// Constructs prepared.graph over prepared.grid from prepared.feed, which is made from
/// prepared.input if there is none, then calls prepare_searches(). The construction's time includes
/// both. Collective.
void construct_on_hosts(
    const job::Job& job, PreparedGraph& prepared, const HostConstruction& options = {},
    const std::function<void()>& prepare_searches = [] {});

/// Runs construct(), which constructs a graph on the only GPU. Returns whether its memory sufficed; if not, a note says
/// that the host constructs the graph. Pre: there is one rank. Throws an AgreedError.
[[nodiscard]] bool construct_on_gpu(const job::Job& job, const std::function<void()>& construct);

/// A graph on one rank of which only the partition is known.
[[nodiscard]] DistributedGraph graph_without_edges(const EdgeFeed& feed);

/// Constructs prepared.graph again, with lists on the host, if only a GPU has them. Its edges must not have
/// been released. Throws an AgreedError if the memory of the host does not suffice. Collective.
void add_lists(const job::Job& job, PreparedGraph& prepared, ListOrder order = ListOrder::neighbours);

/// Returns for each vertex whether it has an edge other than a self-loop; false for numbers beyond
/// the last vertex. Collective.
[[nodiscard]] std::vector<bool> vertices_with_edges(const comm::Communicator& world, const DistributedGraph& graph,
                                                    std::span<const Vertex> vertices);

}  // namespace wayfront::session
