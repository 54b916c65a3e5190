// Validation of a search for shortest paths, from the edge list, the distances and the parents
// alone: no other data of the search is used.
//
// The benchmark's five rules, and how each is checked:
//   1. The parents form a tree without cycles, rooted at the key: pointer doubling reaches the key
//      from every vertex with a parent (validate_levels.hpp).
//   2. The distances of a vertex and its parent differ by the weight of the edge that joins them: a
//      tuple confirms a parent only if the parent's distance plus the tuple's weight, rounded once
//      if distances are floats, is the vertex's distance. The key has distance 0, and exactly the
//      vertices with a parent have a distance.
//   3. No edge leads to a shorter distance: the distance of one end plus the weight is not less
//      than the distance of the other.
//   4. The tree spans the key's component: no tuple joins a reached vertex and one that was not
//      reached.
//   5. A vertex and its parent are joined by an edge.
// By rule 3, only the lightest of parallel edges can confirm a parent. A result that satisfies
// all rules has the smallest distances: no path is shorter by rule 3, and the tree's paths have
// these lengths by rules 1, 2 and 5. Sums of floats are rounded after each edge; since rounding is
// monotone, the same holds for them. Weights may be 0 or negative.
//
// In a directed graph an edge u -> v restricts v alone.
//
// Specification: Graph 500 Benchmark Specification, version 3, section "Validation".
#pragma once

#include <cstddef>
#include <span>

#include "graph/distances.hpp"
#include "graph/vertex_array.hpp"
#include "graph500/tree_validator.hpp"

namespace wayfront::graph500 {

/// Checks searches of one graph. Uses 13 bytes per held vertex (17 beyond 2^31 vertices) and 16 per
/// edge of a chunk; if the ranks hold all vertices 25 per vertex, and if several ranks do not,
/// a distance per vertex and about 160 bytes per edge of a chunk: see most_bytes().
class SsspValidator : private TreeValidator
{
public:
    /// The bytes that the validator and its messages take on a rank, at most: `vertices` of the
    /// rank, shares of up to `most_edges` edges, and the sizes for these.
    [[nodiscard]] static double most_bytes(int ranks, std::size_t most_edges, double vertices);

    /// The arguments outlive the validator. `partition` defines the owners of vertices; `feed` is
    /// the rank's share of the input, with its weights; the weights of an unweighted feed are 1.
    SsspValidator(const comm::Communicator& world, const Partition& partition, const EdgeFeed& feed,
                  const ValidatorSizes& sizes = {})
        : TreeValidator(world, partition, feed, sizes)
    {
    }

    /// `distances` and `parents` are those of the rank's vertices, by local number; unreached() and
    /// -1 if not reached, and the key is its own parent. Whole numbers and floats have the type
    /// that the search added weights in, and weights fit it. Collective. Pre: key is a vertex, and
    /// the distances have the same type on all ranks.
    [[nodiscard]] Validation validate(Vertex key, const Distances& distances, const VertexArray& parents);
    /// The same for a search from several keys, ascending, with the nearest one of each of the rank's
    /// vertices: the roots of the tree, by rule 1, and the smallest ones, by rule 6
    /// (nearest_rules.hpp). Collective.
    [[nodiscard]] Validation validate_nearest(std::span<const Vertex> keys, const VertexArray& nearest,
                                              const Distances& distances, const VertexArray& parents);

private:
    template <typename D, typename Id>
    [[nodiscard]] Validation validate_as(const Roots<Id>& roots, std::span<const D> own_distances,
                                         std::span<const Id> own_parents);
};

}  // namespace wayfront::graph500
