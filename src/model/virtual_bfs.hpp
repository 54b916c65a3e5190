// The work and the messages of the ranks of a grid in a breadth-first search, counted on one process.
//
// The search is run by the loop of all searches (algo/bfs/level_loop.hpp), over steps that hold the
// sets of all ranks of the grid. Bytes and steps of messages are equal to those that the program
// counts when it searches on the hosts' processors (base/message_count.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "algo/bfs/level_loop.hpp"
#include "base/types.hpp"
#include "comm/frontier_exchange.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "model/rank_work.hpp"

namespace wayfront::model {

struct LevelWork
{
    algo::LevelRecord record;     // its frontier is empty in the last level
    std::vector<RankWork> ranks;  // by rank of the grid
    bool visits_rows = false;     // whether the level reads the lists of open rows, and not those of the frontier
};

/// A search on a grid.
struct SearchWork
{
    std::vector<LevelWork> levels;
    // By rank: the work and messages after the last level. On a grid, each owner requests parents from the blocks
    // of its grid row that found the vertices.
    std::vector<RankWork> result_queries;
    std::uint64_t reached = 0;  // vertices, the key among them
};

struct VirtualBfsOptions
{
    algo::DirectionPolicy direction;
    comm::ExchangeFormat exchange = comm::ExchangeFormat::automatic;
    std::int32_t max_level = algo::kNoMaxLevel;
    bool rows_span_hosts = false;  // as ProcessGrid::rows_span_hosts()
    // In bottom-up levels, the blocks of a grid row search for a vertex in turn, until one block finds it: S. Beamer,
    // A. Buluc, K. Asanovic, D. Patterson, IPDPSW 2013, doi:10.1109/IPDPSW.2013.159. The program has no such search.
    bool rotate_blocks = false;
};

/// Counts a search from `key` over a grid of `shape`. `whole` is the graph on one rank. Throws
/// InputError if the key is not in the graph, or if the grid does not suit it.
SearchWork count_bfs(const DistributedGraph& whole, comm::GridShape shape, Vertex key,
                     const VirtualBfsOptions& options = {});

}  // namespace wayfront::model
