// Validation of a breadth-first search, from the edge list and the parents alone: it uses nothing
// of the search's own data.
//
// The benchmark's five rules, and how each is checked:
//   1. The parents form a tree without cycles, rooted at the key: pointer doubling reaches the key
//      from every reached vertex (validate_levels.hpp).
//   2. A vertex and its parent are one level apart: the level of a vertex is defined as its
//      parent's plus one, and an edge confirms a parent only if the parent is one level up.
//   3. An edge joins vertices that are at most one level apart: every tuple is checked
//      (validate_edges.hpp).
//   4. The tree spans the key's component: no tuple joins a reached vertex and one that was not
//      reached.
//   5. A vertex and its parent are joined by an edge: for every reached vertex except the key there
//      is a tuple that joins it to its parent.
// A tree that satisfies rules 3 to 5 has shortest paths: levels are distances from the key.
//
// In a directed graph rule 3 says that an edge u -> v leads at most one level down if u was
// reached, rule 4 that v was then reached, too, and rule 5 that there is an edge from the parent to
// the vertex.
//
// Specification: Graph 500 Benchmark Specification, version 3, section "Validation".
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
#include "graph/vertex_array.hpp"
#include "graph500/validate_levels.hpp"
#include "graph500/violations.hpp"

namespace wayfront::graph500 {

enum class Outcome {
    not_validated,
    valid,
    invalid,
};

/// The outcome of a validation; equal on all ranks, except for `levels`.
struct BfsValidation
{
    Outcome outcome = Outcome::not_validated;
    // Of an invalid search; `reached` and `eccentricity` are defined only for valid ones.
    std::optional<Violation> violation;
    // For TEPS: tuples of the input in the key's component (directed: from reached vertices).
    EdgeCount edges = 0;
    Vertex reached = 0;       // vertices, including the key
    Vertex eccentricity = 0;  // of the key: the deepest level
    // Of the rank's vertices, as rebuilt from the parents; kNoLevel if not reached. Refers to memory of
    // the validator until its next validation; empty if the levels are not on the host.
    std::span<const std::uint32_t> levels = {};

    [[nodiscard]] bool valid() const { return outcome == Outcome::valid; }
};

/// One line for the user: the rule that is violated, and the vertex or edge that violates it.
std::string describe(const Violation& violation);

/// Checks searches of one graph. Uses 13 bytes per vertex of the rank (17 beyond 2^31 vertices),
/// and with several ranks about 64 bytes per edge of a chunk: see most_bytes().
class BfsValidator
{
public:
    /// The most edges, or queries for levels, of each rank that are under way at a time by default.
    static constexpr std::size_t kDefaultChunk = std::size_t{1} << 20;

    /// The chunk for shares of up to `most_edges` edges: an eighth of the largest share, so that
    /// messages take a small part of the memory that the graph takes; at least 2^14, so that
    /// messages are long, and at most kDefaultChunk.
    [[nodiscard]] static std::size_t chunk_for(std::size_t most_edges);

    /// The bytes that the validator and its messages take, at most: `vertices` of the rank, shares of
    /// up to `most_edges` edges, chunks as chunk_for() chooses them.
    [[nodiscard]] static double most_bytes(std::size_t most_edges, double vertices);

    /// The arguments outlive the validator. `partition` defines the owners of vertices; `feed` is
    /// the rank's share of the input. `chunk` is the same on all ranks.
    BfsValidator(const comm::Communicator& communicator, const Partition& partition, const EdgeFeed& feed, std::size_t chunk = kDefaultChunk);

    /// `parents` are those of the rank's vertices, by local number; -1 if not reached, and the key
    /// is its own parent. Collective. Pre: key is a vertex.
    [[nodiscard]] BfsValidation validate(Vertex key, const VertexArray& parents);

    /// The levels of the rank's vertices after a valid search; kNoLevel if not reached.
    [[nodiscard]] std::span<const std::uint32_t> levels() const { return levels_.span(); }

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
