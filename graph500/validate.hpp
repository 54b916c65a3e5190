// Validation of a breadth-first search, from the edge list and the parents alone: nothing that the search used is looked at.
//
// The benchmark's five rules, and how each is checked:
//   1. the parents form a tree without cycles, rooted at the key    pointer doubling reaches the key from every reached vertex (validate_levels.hpp)
//   2. a vertex and its parent are one level apart                  a vertex's level is defined as its parent's plus one, and an edge confirms a
//                                                                   vertex's parent only from one level up
//   3. an edge joins vertices at most one level apart               every tuple is looked at (validate_edges.hpp)
//   4. the tree spans the key's component                           no tuple joins a reached vertex and an unreached one
//   5. a vertex and its parent are joined by an edge                every reached vertex but the key has met a tuple that joins it to its parent
// A tree that keeps 3 to 5 has shortest paths: levels are distances from the key.
//
// In a directed graph rule 3 reads: an edge u -> v with u reached leads at most one level down; rule 4: it leads to a reached vertex; rule 5 wants
// the edge from the parent to the vertex.
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

/// What validation found; equal on all ranks.
struct BfsValidation
{
    std::optional<Violation> violation;  // none: the search is valid. The numbers below hold only then
    EdgeCount edges = 0;                 // tuples of the input inside the key's component (directed: from reached vertices), for TEPS
    Vertex reached = 0;                  // vertices, the key included
    Vertex eccentricity = 0;             // of the key: the deepest level

    [[nodiscard]] bool valid() const { return !violation.has_value(); }
};

/// A line for the user: the rule that was broken, and by what.
std::string describe(const Violation& violation);

/// Checks searches of one graph. Keeps 13 bytes for each of the rank's vertices (17 beyond 2^31 vertices); with several ranks it works in about 64
/// more for each edge of a chunk.
class BfsValidator
{
public:
    /// How many edges, or questions for levels, of each rank are on their way at a time. The same on all ranks.
    static constexpr std::size_t kDefaultChunk = std::size_t{1} << 20;

    /// The arguments outlive the validator. `partition` says who owns which vertex, `feed` is the rank's share of the input.
    BfsValidator(const comm::Communicator& communicator, const Partition& partition, const EdgeFeed& feed, std::size_t chunk = kDefaultChunk);

    /// `parents` are those of the rank's vertices, by local number: -1 where not reached, the key's itself. Collective. Pre: key is a vertex.
    [[nodiscard]] BfsValidation validate(Vertex key, const VertexArray& parents);

    /// Levels of the rank's vertices after a valid search, kNoLevel where not reached.
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
