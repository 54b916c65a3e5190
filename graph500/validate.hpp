// Validation of a breadth-first search, from the edge list and the parents alone: no other data of
// the search is used.
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
// reached. Rule 4 says that v was then reached, too, and rule 5 that there is an edge from the
// parent to the vertex.
//
// After a search from several keys there is a tree of each key. Rule 1 says that the parents of a
// vertex lead to its nearest key, and rule 6 (nearest_rules.hpp) that this is the smallest one.
//
// Specification: Graph 500 Benchmark Specification, version 3, section "Validation".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/vertex_array.hpp"
#include "graph500/tree_validator.hpp"

namespace wayfront::graph500 {

/// The outcome of a validation; equal on all ranks, except for `levels`.
struct BfsValidation : Validation
{
    Vertex eccentricity = 0;  // the deepest level of the search; defined only if the search is valid
    // The levels of the rank's vertices, as rebuilt from the parents; kNoLevel if not reached.
    // Refers to memory of the validator until its next validation; empty if the levels are not on
    // the host.
    std::span<const std::uint32_t> levels = {};
};

/// Checks searches of one graph. Uses 13 bytes per held vertex (17 beyond 2^31 vertices); if the
/// ranks hold all vertices 17, and if several ranks do not, about 64 bytes per edge of a chunk: see
/// most_bytes().
class BfsValidator : private TreeValidator
{
public:
    /// The bytes that the validator and its messages take on a rank, at most: `vertices` of the
    /// rank, shares of up to `most_edges` edges, and the sizes for these.
    [[nodiscard]] static double most_bytes(int ranks, std::size_t most_edges, double vertices);

    /// The arguments outlive the validator. `partition` defines the owners of vertices; `feed` is
    /// the rank's share of the input.
    BfsValidator(const comm::Communicator& world, const Partition& partition, const EdgeFeed& feed,
                 const ValidatorSizes& sizes = {})
        : TreeValidator(world, partition, feed, sizes)
    {
    }

    /// `parents` are those of the rank's vertices, by local number; -1 if not reached, and the key
    /// is its own parent. Collective. Pre: key is a vertex.
    [[nodiscard]] BfsValidation validate(Vertex key, const VertexArray& parents);
    /// The same for a search from several keys, ascending, with the nearest one of each of the rank's
    /// vertices: the roots of the tree, by rule 1, and the smallest ones, by rule 6. Collective.
    [[nodiscard]] BfsValidation validate_nearest(std::span<const Vertex> keys, const VertexArray& nearest,
                                                 const VertexArray& parents);

private:
    template <typename Id>
    [[nodiscard]] BfsValidation validate_as(const Roots<Id>& roots, std::span<const Id> held_parents);
};

}  // namespace wayfront::graph500
