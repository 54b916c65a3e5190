// A graph made ready for searches, by whatever algorithm: what is searched, by what, over which grid, and how long getting there took.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "app/io/graph_input.hpp"
#include "app/job.hpp"
#include "app/search/engine_plan.hpp"
#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront::app {

struct PreparedGraph
{
    PreparedGraph() = default;
    PreparedGraph(const PreparedGraph&) = delete;  // the feed refers to the input, the graph to the grid
    PreparedGraph& operator=(const PreparedGraph&) = delete;

    LoadedGraph input;
    EnginePlan plan;
    std::optional<comm::ProcessGrid> grid;
    // If the hosts constructed the graph; else it is on the GPUs alone, and `input` has no edges.
    std::unique_ptr<ListFeed> feed;
    std::unique_ptr<DistributedGraph> graph;

    // Of the slowest rank.
    double load_seconds = 0;
    double construction_seconds = 0;

    /// Whether the GPUs constructed the graph.
    [[nodiscard]] bool on_gpus() const { return graph == nullptr; }
};

/// How many seconds f() takes, from when all ranks begin until all have ended; a span `name` goes to the log. Collective.
double seconds_of(const comm::Communicator& world, PhaseLog* log, const char* name, const std::function<void()>& f);

/// Throws an AgreedError if the memory of the hosts cannot hold what construct() needs at its peak, or the second
/// copy of the edges that an engine makes which shares a block. Collective.
void require_construction_memory(const Job& job, comm::GridShape grid, const LoadedGraph& graph, const EnginePlan& plan);

/// construct(); a graph too large for the grid is an AgreedError. Collective.
DistributedGraph construct_graph(const comm::ProcessGrid& grid, const EdgeFeed& feed);

/// Whose vertices a graph has: those that the input says, or those up to the largest that an edge names.
enum class VertexCount { given, found };

/// Constructs prepared.graph from prepared.input over prepared.grid, then calls prepare_searches(); both are the construction's time. Collective.
void construct_on_hosts(
    const Job& job, PreparedGraph& prepared, VertexCount count, PhaseLog* log, const std::function<void()>& prepare_searches = [] {});

}  // namespace wayfront::app
