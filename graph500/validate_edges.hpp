// The second step of validation: one pass over the edge list, with the levels of all vertices.
//
// Each tuple of the input is held against rule 3 (levels at most one apart) and rule 4 (both ends reached, or neither); tuples that join a vertex to
// its parent are marked in `confirmed`, for rule 5. In a directed graph an edge u -> v bears on v alone: where u is reached, v is, at most one level
// deeper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"
#include "graph500/violations.hpp"

namespace wayfront::graph500 {

/// Results of a search on one rank's vertices, by local number. `Id` is int32 or int64.
template <typename Id>
struct TreeView
{
    std::span<const Id> parents;
    std::span<const std::uint32_t> levels;  // kNoLevel where not reached
    std::span<std::uint8_t> confirmed;      // set to 1 where an edge joins a vertex to its parent, one level up
};

/// Passes over the edges of all ranks, `chunk_edges` of each rank's share at a time (the same number on all ranks). Returns how many tuples of all
/// ranks start at a reached vertex: in an undirected graph, those inside the key's component. With one rank nothing is sent. Collective.
template <typename Id>
[[nodiscard]] EdgeCount check_edges(const comm::Communicator& communicator, const Partition& partition, const EdgeFeed& feed,
                                    const TreeView<Id>& tree, std::size_t chunk_edges, ViolationRecord& violations);

}  // namespace wayfront::graph500
