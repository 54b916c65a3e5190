// Breadth-first search over all ranks.
//
// The level loop of the 2D-partitioned hybrid search: A. Buluc, K. Madduri, "Parallel breadth-first
// search on distributed memory systems", SC 2011, doi:10.1145/2063384.2063471, with S. Beamer, A.
// Buluc, K. Asanovic, D. Patterson, "Distributed memory breadth-first search revisited: enabling
// bottom-up search", IPDPSW 2013, doi:10.1109/IPDPSW.2013.159.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "algo/bfs/edge_engine.hpp"
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

struct LevelRecord
{
    Direction direction = Direction::top_down;
    // The vertices that the level starts from, of all ranks; out_edges is 0 if they were not
    // counted.
    FrontierCounts frontier;
};

/// This rank's part of a result: its vertices, ordered by local number (Partition).
struct BfsResult
{
    Vertex key = kUnreached;  // the first one
    VertexArray parents;      // a key is its own parent; kUnreached if not reached
    // Only after a search from several keys: the nearest one (algo/nearest_sources.hpp), to which
    // parents lead; kUnreached if not reached.
    VertexArray nearest;
    HostBuffer<std::int32_t> levels;   // if requested; -1 if not reached
    std::vector<LevelRecord> records;  // one per level
    std::uint64_t reached = 0;         // vertices, of all ranks
};

class BfsSearch
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

private:
    /// All levels.
    void search(std::span<const Vertex> keys);
    /// Writes the parents and levels of the result.
    void finish();
    [[nodiscard]] bool goes_in_stretches(Direction direction) const;
    [[nodiscard]] FrontierView view_frontier(Direction direction, std::uint64_t most_out_edges);
    [[nodiscard]] FrontierCounts exchange_counts(std::int32_t level, bool with_edges);

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    EdgeEngine& engine_;
    BfsOptions options_;
    SearchState state_;
    comm::SlotSet own_;  // the slots of this rank that the last level found
    // Its messages read own_, so that it is declared later and destroyed first.
    LevelPipeline pipeline_;
    comm::SlotSet frontier_;  // the frontier of the whole grid column
    std::vector<std::size_t> column_counts_;
    BfsResult result_;
};

}  // namespace wayfront::algo
