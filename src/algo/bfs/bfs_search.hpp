// Breadth-first search over all ranks.
//
// The level loop of the 2D-partitioned hybrid search: A. Buluc, K. Madduri, "Parallel breadth-first search on distributed memory systems", SC 2011,
// doi:10.1145/2063384.2063471, with S. Beamer, A. Buluc, K. Asanovic, D. Patterson, "Distributed memory breadth-first search revisited: enabling
// bottom-up search", IPDPSW 2013, doi:10.1109/IPDPSW.2013.159.
#pragma once

#include <cstdint>
#include <limits>
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

/// More levels than any search has, with room to count past it.
inline constexpr std::int32_t kNoMaxLevel = std::numeric_limits<std::int32_t>::max() - 1;

struct BfsOptions
{
    DirectionPolicy direction;
    comm::ExchangeFormat exchange = comm::ExchangeFormat::automatic;
    bool stretches = true;          // bottom-up levels in stretches that overlap (LevelPipeline), where the engine has these
    bool levels = false;            // keep the level of each vertex, not only its parent
    bool smallest_parents = false;  // the same parents whatever the grid, direction and threads (algo/bfs/smallest_parents.hpp); keeps levels too
    std::int32_t max_level = kNoMaxLevel;  // vertices further than this from the key are left unreached
    PhaseLog* log = nullptr;               // of the spans of docs/formats.md; outlives the search
};

struct LevelRecord
{
    Direction direction = Direction::top_down;
    FrontierCounts frontier;  // the vertices that the level starts from, of all ranks; out_edges is 0 where they were not counted
};

/// This rank's part of a result: its vertices in the order of local numbers (Partition).
struct BfsResult
{
    Vertex key = kUnreached;
    VertexArray parents;               // the key is its own parent; kUnreached where not reached
    HostBuffer<std::int32_t> levels;   // where asked for; -1 where not reached
    std::vector<LevelRecord> records;  // one a level
    std::uint64_t reached = 0;         // vertices, of all ranks
};

class BfsSearch
{
public:
    /// Grid, graph and engine outlive the search. Allocates what all runs need.
    BfsSearch(const comm::ProcessGrid& grid, const DistributedGraph& graph, EdgeEngine& engine, const BfsOptions& options);

    /// Searches from `key`. Collective over the grid's world; the result stands until the next run. Throws InputError on all ranks where the graph
    /// has no such vertex.
    const BfsResult& run(Vertex key);

private:
    [[nodiscard]] bool goes_in_stretches(Direction direction) const;
    [[nodiscard]] FrontierView view_frontier(Direction direction, std::uint64_t most_out_edges);
    [[nodiscard]] FrontierCounts exchange_counts(std::int32_t level, bool with_edges);

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    EdgeEngine& engine_;
    BfsOptions options_;
    SearchState state_;
    comm::SlotSet own_;       // what the last level found, of this rank's slots
    LevelPipeline pipeline_;  // after what its messages read: it goes before that
    comm::SlotSet frontier_;  // the same as own_, of the whole grid column
    std::vector<std::size_t> column_counts_;
    BfsResult result_;
};

}  // namespace wayfront::algo
