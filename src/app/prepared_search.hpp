// The options of a search: which engine, how the ranks share the graph, which way levels go.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algo/bfs.hpp"
#include "app/engine_factory.hpp"
#include "app/graph_input.hpp"
#include "app/job.hpp"
#include "app/option_group.hpp"
#include "comm/process_grid.hpp"
#include "graph/construction.hpp"

namespace wayfront::app {

struct SearchOptions
{
    EngineRequest engine;
    std::optional<comm::GridShape> grid;  // nothing: auto
    algo::DirectionPolicy direction;
    comm::ExchangeFormat exchange = comm::ExchangeFormat::automatic;

    [[nodiscard]] OptionGroup group();
};

/// The grid that the options mean for the ranks of this job, and the engine that they mean: looked at before anything is read. Collective.
comm::GridShape choose_grid(const Job& job, const SearchOptions& options);

/// Throws an AgreedError where the memory of the hosts cannot hold what construct() needs at its peak. Collective.
void require_construction_memory(const Job& job, const LoadedGraph& graph);

/// All that searches of one graph need, in one place. Not movable: the search refers to the rest.
class PreparedSearch
{
public:
    /// Constructs the graph from the ranks' shares, an engine on it and the memory of searches. `options` are the search's, the grid outlives it.
    /// Collective.
    PreparedSearch(const comm::ProcessGrid& grid, const EdgeFeed& feed, const EngineRequest& engine, const algo::BfsOptions& options);
    PreparedSearch(const PreparedSearch&) = delete;  // search_ refers to engine_ and graph_
    PreparedSearch& operator=(const PreparedSearch&) = delete;

    [[nodiscard]] const DistributedGraph& graph() const { return graph_; }
    [[nodiscard]] const EdgeEngine& engine() const { return *engine_; }

    /// Searches, and says how long it took: from before the key is visited until the result stands, on the slowest rank. Before that, and not in the
    /// time, the engine may adapt itself to what the last search showed. Collective.
    struct Timed
    {
        const algo::BfsResult& result;
        double seconds;
    };
    Timed run(Vertex key);

private:
    const comm::ProcessGrid& grid_;
    DistributedGraph graph_;
    std::unique_ptr<EdgeEngine> engine_;
    std::unique_ptr<algo::BfsSearch> search_;
};

/// Says of each vertex whether an edge other than a self-loop touches it; not of those past the last vertex. Collective; equal on all ranks.
std::vector<bool> have_edges(const comm::Communicator& world, const DistributedGraph& graph, std::span<const Vertex> vertices);

}  // namespace wayfront::app
