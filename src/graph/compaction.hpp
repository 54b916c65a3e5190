// Numbers vertices without gaps, if few of the numbers up to the largest one belong to vertices.
//
// Each rank lists the vertices of its edges, the lists of all ranks are joined, and each vertex is
// replaced by its position in the joined list. Every rank has the whole list.
#pragma once

#include <span>

#include "base/host_buffer.hpp"
#include "base/types.hpp"
#include "graph/edge_list.hpp"
#include "graph/large_numbers.hpp"

namespace wayfront {

/// The bytes that list_vertices() takes for an edge at its peak.
inline constexpr double kListedEdgeBytes = 4 * sizeof(Vertex);

/// The numbers of the vertices at the ends of edges, each once, in ascending order. The edges
/// store some of them as places in `large_numbers`.
[[nodiscard]] HostBuffer<Vertex> list_vertices(std::span<const PackedEdge> edges, const LargeNumbers& large_numbers);

/// Replaces each vertex by the position of its number in `vertices`, an ascending list that has the
/// numbers of all vertices of the edges.
void number_by_position(std::span<PackedEdge> edges, const LargeNumbers& large_numbers,
                        std::span<const Vertex> vertices);

}  // namespace wayfront
