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
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"
#include "graph500/validate_levels.hpp"
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
    std::optional<Violation> violation;  // of an invalid search
    // For TEPS: tuples of the input in the key's component (directed: from reached vertices).
    EdgeCount edges = 0;
    Vertex reached = 0;  // vertices, including the key; defined only if the search is valid

    [[nodiscard]] bool valid() const { return outcome == Outcome::valid; }
};

/// One line for the user: the rule that is violated, and the vertex or edge that violates it.
std::string describe(const Violation& violation);

class TreeValidator
{
public:
    /// The most edges, or queries for levels, of each rank that are under way at a time by default.
    static constexpr std::size_t kDefaultChunk = std::size_t{1} << 20;

    /// The chunk for shares of up to `most_edges` edges: an eighth of the largest share, so that
    /// messages take a small part of the memory that the graph takes; at least 2^14, so that
    /// messages are long, and at most kDefaultChunk.
    [[nodiscard]] static std::size_t chunk_for(std::size_t most_edges);

protected:
    /// The arguments outlive the validator. `partition` defines the owners of vertices; `feed` is
    /// the rank's share of the input. `chunk` is the same on all ranks.
    TreeValidator(const comm::Communicator& communicator, const Partition& partition, const EdgeFeed& feed, std::size_t chunk);

    [[nodiscard]] const comm::Communicator& communicator() const { return communicator_; }
    [[nodiscard]] const Partition& partition() const { return partition_; }
    [[nodiscard]] const EdgeFeed& feed() const { return feed_; }
    [[nodiscard]] std::size_t chunk() const { return chunk_; }

    /// Rule 1: computes the levels of the rank's vertices from their parents, by local number, and
    /// clears their marks. `Id` is int32 or int64. Returns whether the parents are a tree.
    /// Collective.
    template <typename Id>
    [[nodiscard]] bool build_tree(Vertex key, std::span<const Id> parents, ViolationRecord& violations, Validation& result);

    /// Writes the outcome so far, and returns whether it is valid. Collective.
    bool agree(const ViolationRecord& violations, Validation& result) const;

    /// The levels of the rank's vertices; kNoLevel if not reached. Pre: the parents are a tree.
    [[nodiscard]] std::span<const std::uint32_t> levels() const { return levels_.span(); }
    /// Whether an edge confirms the parent of each of the rank's vertices.
    [[nodiscard]] std::span<std::uint8_t> confirmed() { return confirmed_.span(); }

private:
    const comm::Communicator& communicator_;
    const Partition& partition_;
    const EdgeFeed& feed_;
    std::size_t chunk_;
    HostBuffer<std::uint32_t> levels_;
    HostBuffer<std::uint8_t> confirmed_;
    LevelScratch scratch_;
};

}  // namespace wayfront::graph500
