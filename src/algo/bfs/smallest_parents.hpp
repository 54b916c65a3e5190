// Parents that do not depend on how a search went: of all vertices that may be a vertex's parent, the one with the smallest number in the input.
//
// A search takes the first parent that it meets, and which one that is depends on grid, threads and direction. Levels do not, so parents can be
// chosen afterwards from the levels alone: the parent of v is the least u with an edge u -> v and level(u) = level(v) - 1. One pass over all
// in-edges.
#pragma once

#include <cstdint>
#include <span>

#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::algo {

/// `levels`: of this rank's vertices in the order of local numbers, as BfsResult holds them. Returns their parents in the same order: the key (level
/// 0) is its own, kUnreached where the level is -1. Collective over the grid's world; messages have spans in the log, where there is one. Takes 4
/// bytes a column and 24 a slot meanwhile.
VertexArray smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph, std::span<const std::int32_t> levels,
                             PhaseLog* log = nullptr);

}  // namespace wayfront::algo
