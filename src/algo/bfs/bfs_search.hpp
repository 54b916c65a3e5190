// Breadth-first search over all ranks, with sets of vertices in host memory: the steps of the level
// loop (level_loop.hpp), around an engine that searches the block's edges.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "algo/bfs/edge_engine.hpp"
#include "algo/bfs/graph_counts.hpp"
#include "algo/bfs/level_loop.hpp"
#include "algo/bfs/level_pipeline.hpp"
#include "algo/bfs/search_state.hpp"
#include "base/phase.hpp"
#include "comm/frontier_exchange.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

struct BfsOptions
{
    DirectionPolicy direction;
    comm::ExchangeFormat exchange = comm::ExchangeFormat::automatic;
    // Whether stretches of bottom-up levels overlap (LevelPipeline), if the engine supports
    // stretches.
    bool stretches = true;
    bool levels = false;  // keep the levels of vertices, not only their parents
    // Parents that do not depend on grid, direction and threads (smallest_parents.hpp); keeps
    // levels.
    bool smallest_parents = false;
    std::int32_t max_level = kNoMaxLevel;  // vertices beyond this level are not reached
    // How many searches will follow: with many, a longer preparation pays.
    std::int64_t expected_searches = std::numeric_limits<std::int64_t>::max();
    PhaseLog* log = nullptr;  // of the spans in docs/formats.md; outlives the search
};

/// This rank's part of a result: its vertices, ordered by local number (Partition). `reached` counts
/// the key even if it has no edges.
struct BfsResult : LevelProgress
{
    Vertex key = kUnreached;  // the first one
    VertexArray parents;      // a key is its own parent; kUnreached if not reached
    // Only after a search from several keys: the nearest one (algo/nearest_sources.hpp), to which
    // parents lead; kUnreached if not reached.
    VertexArray nearest;
    HostBuffer<std::int32_t> levels;  // if requested; -1 if not reached
};

class BfsSearch final : private LevelSteps
{
public:
    /// Grid, graph and engine outlive the search. Allocates what all runs need.
    BfsSearch(const comm::ProcessGrid& grid, const DistributedGraph& graph, EdgeEngine& engine,
              const BfsOptions& options);

    /// Searches from `key`. The result is valid until the next run. Throws InputError on all ranks
    /// if the graph has no such vertex. Collective over the grid's world.
    const BfsResult& run(Vertex key);
    /// Searches from all of `keys` at once, which are distinct and ascending, and finds the nearest
    /// one of each vertex. Pre: the options ask for levels. Otherwise as run(). Collective.
    const BfsResult& run_nearest(std::span<const Vertex> keys);

    /// The alpha of the rule for directions, in this graph.
    [[nodiscard]] double alpha() const { return options_.direction.alpha_for(counts_of(graph_)); }

private:
    enum class KeysWanted { any, nearest };  // the key to which the parents of a vertex lead
    /// All levels.
    void run_from(std::span<const Vertex> keys, KeysWanted wanted);
    /// Writes the parents and levels of the result.
    void finish();

    FrontierCounts count(std::int32_t level, bool with_edges) override;
    bool frontier_reaches_unvisited() override;
    void expand(std::int32_t level, Direction direction) override;
    void search(std::int32_t level, const LevelRecord& record, bool with_edges) override;
    void fold(std::int32_t level) override;

    [[nodiscard]] bool goes_in_stretches(Direction direction) const;
    [[nodiscard]] FrontierView view_frontier(Direction direction, std::uint64_t most_out_edges);

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    EdgeEngine& engine_;
    BfsOptions options_;
    SearchState state_;
    comm::SlotSet own_;  // the slots of this rank that the last level found
    // Its messages read own_, so that it is declared later and destroyed first.
    LevelPipeline pipeline_;
    comm::SlotSet frontier_;  // the frontier of the whole grid column
    comm::Expand expand_;
    std::vector<std::size_t> column_counts_;
    Discoveries discoveries_;      // of the level that is searched
    bool in_stretches_ = false;    // whether that level goes in stretches
    bool gathered_ahead_ = false;  // whether the last level has gathered the frontier
    BfsResult result_;
};

}  // namespace wayfront::algo
