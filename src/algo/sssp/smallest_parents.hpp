// Parents that do not depend on the course of a search: of all parents that a vertex can have in a
// tree of shortest paths, the one with the smallest number in the input.
//
// An edge u -> v is *tight* if the distance of v is that of u plus the edge's weight. The parent of
// v is the smallest u with a tight edge to v and a smaller distance. If weights are 0 or are lost
// in rounding, v may have tight edges only from vertices of its own distance. Its parent is then
// one of those with the fewest edges on the way back to a smaller distance, and the smallest of
// these. In a graph with negative weights a parent can be at a greater distance. The parent of v is
// then one of the vertices with the fewest edges on the tight way back to the source, and the
// smallest of these.
#pragma once

#include <span>

#include "base/host_buffer.hpp"
#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// `distances` are the final ones of this rank's slots, without a cutoff. Returns the parents of
/// the slots: the source is its own parent, and slots that are not reached have kUnreached.
/// Messages are spans in the log, which may be null. Uses about sizeof(D) + 4 bytes per row and
/// column, and 16 per slot, while it runs. Collective over the grid's world.
template <typename D>
[[nodiscard]] HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                  std::span<const D> distances, Vertex source, bool negative_weights,
                                                  PhaseLog* log = nullptr);

/// Replaces the parents of this rank's vertices, by local number, except those of vertices that are
/// not reached. `of_slots` are the parents of the own slots.
void replace_parents(const DistributedGraph& graph, std::span<const Vertex> of_slots, VertexArray& parents);

}  // namespace wayfront::algo
