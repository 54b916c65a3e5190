// The smallest parents (algo/smallest_parents.hpp) of breadth-first searches: the parent of v is the
// smallest u with an edge u -> v and level(u) = level(v) - 1.
#pragma once

#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::algo {

// `levels` are those of this rank's vertices, ordered by local number, as in BfsResult.

/// The levels of this rank's slots as distances: unreached() for -1, and for slots without a vertex.
[[nodiscard]] HostBuffer<std::uint32_t> levels_by_slot(const DistributedGraph& graph,
                                                       std::span<const std::int32_t> levels);

/// Returns the parents in the same order. The key, whose level is 0, is its own parent; the parent is
/// kUnreached if the level is -1. Messages are spans in the log, which may be null. Uses 8 bytes per
/// column and row, and 20 per slot, while it runs. Collective over the grid's world.
[[nodiscard]] VertexArray smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                           std::span<const std::int32_t> levels, PhaseLog* log = nullptr);

}  // namespace wayfront::algo
