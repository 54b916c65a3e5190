// The second step of validation: one pass over the edge list, with the levels of all vertices.
//
// Each tuple of the input is checked by rule 3 (levels are at most one apart) and rule 4 (both ends
// were reached, or neither). A tuple that joins a vertex to its parent sets the vertex's
// `confirmed`, for rule 5. In a directed graph an edge u -> v restricts v alone: if u was reached,
// then v was reached at most one level deeper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/edge_feed.hpp"
#include "graph500/checked_edges.hpp"
#include "graph500/violations.hpp"

namespace wayfront::graph500 {

/// The results of a search for one rank's vertices, by local number. `Id` is int32 or int64.
template <typename Id>
struct TreeView
{
    std::span<const Id> parents;
    std::span<const std::uint32_t> levels;  // kNoLevel if not reached
    // Set to 1 if an edge joins the vertex to its parent, one level up.
    std::span<std::uint8_t> confirmed;
    std::span<const Id> nearest{};  // the nearest keys, if there are several keys
};

/// Passes over the edges of all ranks. Returns the number of tuples of all ranks that start at a reached vertex:
/// in an undirected graph, the tuples of the key's component. With one rank nothing is sent.
/// Collective.
template <typename Id>
[[nodiscard]] EdgeCount check_edges(const CheckedEdges& checked, const TreeView<Id>& tree, ViolationRecord& violations);

}  // namespace wayfront::graph500
