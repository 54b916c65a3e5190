// The part that all validations of searches have in common: the tree of parents (rule 1), the
// memory, and the outcome.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/host_buffer.hpp"
#include "comm/communicator.hpp"
#include "graph/all_vertices.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"
#include "graph500/checked_edges.hpp"
#include "graph500/roots.hpp"
#include "graph500/validate_levels.hpp"
#include "graph500/validator_sizes.hpp"
#include "graph500/violations.hpp"

namespace wayfront::graph500 {

enum class Outcome {
    not_validated,
    valid,
    invalid,
};

/// The outcome of a validation; equal on all ranks.
struct Validation
{
    Outcome outcome = Outcome::not_validated;
    std::optional<Violation> violation;  // the first violation of an invalid search
    // For TEPS: tuples of the input in the key's component (directed: from reached vertices).
    EdgeCount edges = 0;
    Vertex reached = 0;  // vertices, including the key; defined only if the search is valid

    [[nodiscard]] bool valid() const { return outcome == Outcome::valid; }
};

/// One line for the user: the rule that is violated, and the vertex or edge that violates it.
std::string describe(const Violation& violation);

/// A rank *holds* the results of its own vertices or, if these are few (ValidatorSizes), those of
/// all vertices. In the second case it validates its share of the edges as one rank alone does, and
/// the ranks then combine their findings.
class TreeValidator
{
protected:
    /// The arguments outlive the validator. `partition` defines the owners of vertices; `feed` is
    /// the rank's share of the input.
    TreeValidator(const comm::Communicator& world, const Partition& partition, const EdgeFeed& feed,
                  const ValidatorSizes& sizes);

    /// All ranks.
    [[nodiscard]] const comm::Communicator& world() const { return world_; }
    /// The ranks among which the vertices are divided: all, or this rank alone.
    [[nodiscard]] const comm::Communicator& communicator() const { return gathers() ? alone_ : world_; }
    /// The partition of the vertices among these ranks; the held vertices are those of this rank.
    [[nodiscard]] const Partition& partition() const { return gathers() ? *whole_ : partition_; }
    [[nodiscard]] CheckedEdges edges() const { return {communicator(), partition(), feed_, chunk_}; }

    /// The values of the held vertices, by local number, from those of the rank's own. `room` may
    /// get them, and outlives the result. Collective.
    template <comm::Sendable T>
    [[nodiscard]] std::span<const T> held(std::span<const T> own, HostBuffer<T>& room) const;

    /// Rule 1: computes the levels of the held vertices from their parents, and clears their marks.
    /// `Id` is int32 or int64. Returns whether the parents are a tree. Collective.
    template <typename Id>
    [[nodiscard]] bool build_tree(const Roots<Id>& roots, std::span<const Id> parents, ViolationRecord& violations,
                                  Validation& result);

    /// After a pass over the edges of communicator(), of which `edges` start at reached vertices:
    /// combines the marks of all ranks, and returns the number of edges of all. Collective.
    [[nodiscard]] EdgeCount combine(EdgeCount edges);

    /// Writes the outcome so far, and returns whether it is valid. Collective.
    bool agree(const ViolationRecord& violations, Validation& result) const;

    /// The levels of the held vertices; kNoLevel if not reached. Pre: the parents are a tree.
    [[nodiscard]] std::span<const std::uint32_t> held_levels() const { return levels_.span(); }
    /// Whether an edge confirms the parent of each of the held vertices.
    [[nodiscard]] std::span<std::uint8_t> confirmed() { return confirmed_.span().first(levels_.size()); }

    /// The levels of the rank's own vertices, by local number, from those of the held ones. Refers
    /// to memory of the validator.
    [[nodiscard]] std::span<const std::uint32_t> own_levels();

private:
    [[nodiscard]] bool gathers() const { return whole_.has_value(); }
    [[nodiscard]] std::size_t held_vertices() const { return partition().chunk_size(communicator().rank()); }

    const comm::Communicator& world_;
    const comm::Communicator alone_;
    const Partition& partition_;
    std::optional<Partition> whole_;  // the partition over one rank, if it holds all vertices
    const EdgeFeed& feed_;
    std::size_t chunk_;
    HostBuffer<std::uint32_t> levels_;
    HostBuffer<std::uint8_t> confirmed_;  // in whole words
    HostBuffer<std::uint32_t> own_levels_;
    LevelScratch scratch_;
};

template <comm::Sendable T>
std::span<const T> TreeValidator::held(std::span<const T> own, HostBuffer<T>& room) const
{
    if (!gathers()) return own;
    room = HostBuffer<T>(held_vertices());
    gather_vertices(world_, partition_, own, room.span());
    return room.span();
}

}  // namespace wayfront::graph500
