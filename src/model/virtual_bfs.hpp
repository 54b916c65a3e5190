// What the ranks of a grid would do and send in a breadth-first search, counted on one process.
//
// The search is run by the loop of all searches (algo/bfs/level_loop.hpp), over steps that hold the
// sets of all ranks of the grid. Bytes and steps of messages are equal to those that the program
// counts when it searches on the hosts' processors (base/message_count.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "algo/bfs/level_loop.hpp"
#include "base/message_count.hpp"
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
};

/// A search on a grid.
struct SearchWork
{
    std::vector<LevelWork> levels;
    // Of the question that each owner asks of the blocks of its grid row: the parents that they found.
    std::vector<MessageCount> output;
    std::uint64_t reached = 0;  // vertices, the key among them
};

struct VirtualBfsOptions
{
    algo::DirectionPolicy direction;
    comm::ExchangeFormat exchange = comm::ExchangeFormat::automatic;
    std::int32_t max_level = algo::kNoMaxLevel;
    bool rows_span_hosts = false;  // as ProcessGrid::rows_span_hosts()
};

/// Counts a search from `key` over a grid of `shape`. `whole` is the graph on one rank. Throws
/// InputError if the key is not in the graph, or if the grid does not suit it.
SearchWork count_bfs(const DistributedGraph& whole, comm::GridShape shape, Vertex key,
                     const VirtualBfsOptions& options = {});

}  // namespace wayfront::model
