// Parents that do not depend on the course of a search: of all parents that a vertex can have in a
// tree of shortest paths, the one with the smallest number in the input.
//
// A search takes the first parent that it finds, which depends on grid, threads and direction.
// Distances do not, so that the parents can be chosen from them after the search, in one pass over
// all in-edges. The parent of v is the smallest u with a tight edge (tight_edges.hpp) to v and a
// smaller distance. If weights are 0 or are lost in rounding, v may have tight edges only from
// vertices of its own distance. Its parent is then one of those with the fewest edges on the way back
// to a smaller distance, and the smallest of these. In a graph with negative weights a parent can be
// at a greater distance. The parent of v is then one of the vertices with the fewest edges on the
// tight way back to the source, and the smallest of these. After a search from several sources, only
// tight edges between vertices with the same nearest source count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "algo/tight_edges.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/phase.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::algo {

/// Searches whose parents are chosen.
struct SearchedFrom
{
    std::span<const Vertex> sources;
    /// The nearest source of each of this rank's slots, if there are several sources.
    std::span<const Vertex> nearest{};
    EdgeLengths lengths = EdgeLengths::weights;
    bool negative_weights = false;
};

/// `distances` are the final ones of this rank's slots, at least up to a cutoff. Returns the parents of
/// the slots: a source is its own parent, unless another one is its nearest, and slots that are not
/// reached have kUnreached. Messages are spans in the log, which may be null. Uses about sizeof(D) +
/// 4 bytes per row and column, 8 more with several sources, and 16 per slot, while it runs.
/// Collective over the grid's world.
template <typename D>
[[nodiscard]] HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                  std::span<const D> distances, const SearchedFrom& from,
                                                  PhaseLog* log = nullptr);

/// The values of this rank's slots, of those of its vertices by local number; `none` for slots without a vertex.
template <typename T>
[[nodiscard]] HostBuffer<T> by_slot(const DistributedGraph& graph, std::span<const T> of_vertices, T none)
{
    constexpr std::size_t serial_below = 1 << 14;
    HostBuffer<T> of_slots(graph.block.slot_stride, none);
    parallel_for(of_vertices.size(), serial_below, [&](std::size_t i) {
        const std::uint32_t slot = graph.slot_of_local[i];
        if (slot != graph.block.slot_stride) of_slots[slot] = of_vertices[i];
    });
    return of_slots;
}

/// Replaces the parents of this rank's vertices, by local number, except those of vertices that are
/// not reached. `of_slots` are the parents of the own slots.
void replace_parents(const DistributedGraph& graph, std::span<const Vertex> of_slots, VertexArray& parents);

}  // namespace wayfront::algo
