// Parents that do not depend on the course of a search: of all vertices that can be the parent of a
// vertex, the one with the smallest number in the input.
//
// A search takes the first parent that it finds, which depends on grid, threads and direction.
// Levels do not, so that the parents can be chosen from the levels after the search: the parent of
// v is the smallest u with an edge u -> v and level(u) = level(v) - 1. This takes one pass over all
// in-edges.
#pragma once

#include <cstdint>
#include <span>

#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::algo {

/// `levels` are those of this rank's vertices, ordered by local number, as in BfsResult. Returns
/// the parents in the same order. The key, whose level is 0, is its own parent; the parent is
/// kUnreached if the level is -1. Messages are spans in the log, which may be null. Uses 4 bytes
/// per column and 24 per slot while it runs. Collective over the grid's world.
VertexArray smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                             std::span<const std::int32_t> levels, PhaseLog* log = nullptr);

}  // namespace wayfront::algo
