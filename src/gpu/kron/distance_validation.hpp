// Validation of searches for shortest paths on the GPU, for Kronecker graphs, whose edges and
// weights are generated again instead of stored.
//
// It reads only the generator, the distances and the parents, and no other data of the search. The
// five rules of Graph500, as in graph500/validate_distances.hpp, and how each is checked:
//   1. The parents form a tree without cycles, rooted at the key: as in gpu/kron/validation.hpp.
//      Since weights may be 0, distances alone would not prove this.
//   2. The distances of a vertex and its parent differ by the weight of the edge that joins them:
//      every tuple whose weight, added to the distance of one end and rounded, is the distance of
//      the other leaves a mark at the other if its first end is the parent; all reached vertices
//      but the key must have one. The key has distance 0, and exactly the vertices with a parent
//      have a distance, which is finite.
//   3. No edge leads to a shorter distance: every tuple is generated and checked in both
//      directions.
//   4. The tree spans the key's component: a tuple that joins a reached vertex and an unreached one
//      leads to a shorter distance than infinity.
//   5. A vertex and its parent are joined by an edge: by the marks of rule 2. A vertex without a
//      mark breaks rule 2 or rule 5; a search for its edge among all tuples decides which.
// The offender that is reported is the lowest vertex, or the tuple of the lowest number, for any
// number of ranks: the one that graph500/validate_distances.hpp reports with one rank.
//
// Over several ranks it works as gpu/kron/validation.hpp does: every rank gathers the distances and
// parents of all n vertices, finds the levels of all, checks its share of the tuples, sends the
// marks to the vertices' owners, and checks its own vertices. Device memory: n * (1 byte of level +
// 1/8 of mark), with several ranks n * (8 bytes of distance and parent + 1/8) more; while a tree
// deeper than 253 levels is checked, 8 n more. The time is that of generating the tuples, and of
// two random loads of 4 bytes for each; with several ranks also that of gathering.
//
// Specification: Graph 500 Benchmark Specification, version 3, section "Validation".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "gpu/kron/validation.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::gpu::kron {

/// The faults of distances; in brackets the fields of DistanceVerdict that describe the fault,
/// besides `rule`.
enum class DistanceFault : int {
    none,
    tree,          // rule 1: see `tree_fault` [vertex, parent]
    no_number,     // rule 2: a distance is negative infinity or not a number [vertex, distance]
    no_parent,     // rule 2: a vertex has a distance, but no parent [vertex, distance]
    no_distance,   // rule 2: a vertex has a parent, but no distance [vertex, parent]
    key_distance,  // rule 2: the key's distance is not 0 [vertex, distance]
    // Rule 2: of the edges to the parent, none has the weight [vertex, parent, distance,
    // other_distance, weight: the lightest].
    wrong_sum,
    // Rule 3: an edge leads to a shorter distance [edge, vertex, parent, distance, other_distance,
    // weight].
    shorter_path,
    leaves_component,   // rule 4: an edge joins a reached vertex and an unreached one [the same]
    missing_tree_edge,  // rule 5: no edge joins a vertex to its parent [vertex, parent, distance]
};

/// The result of a validation, which is equal on all ranks.
struct DistanceVerdict
{
    DistanceFault fault = DistanceFault::none;
    Fault tree_fault = Fault::none;  // of rule 1
    int rule = 0;                    // the benchmark's number of the rule broken, 1 to 5; 0: none

    // The offender. If it is an edge, `vertex` is the source and `parent` the target.
    Vertex vertex = kUnreached;
    Vertex parent = kUnreached;  // as the search returned it
    EdgeCount edge = -1;         // number of the tuple
    float distance = 0;          // of `vertex`; infinite if not reached
    float other_distance = 0;    // of `parent`
    float weight = 0;

    // Only for a valid search.

    /// The tuples in the key's component, self-loops counted once: m of TEPS.
    std::uint64_t component_tuples = 0;
    std::uint64_t reached = 0;  // vertices, the key included

    [[nodiscard]] bool valid() const { return fault == DistanceFault::none; }
};

/// Checks searches of one graph, and owns the memory that this needs.
class KronDistanceValidator
{
public:
    /// The graph consists of the first `tuples` tuples of the generator. Ranks and stream outlive
    /// the validator. Throws InputError if the scale is not from 1 to 31, and ResourceError if
    /// device memory does not suffice.
    KronDistanceValidator(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks,
                          const Stream& stream);
    KronDistanceValidator(const KronDistanceValidator&) = delete;  // owns gigabytes
    KronDistanceValidator& operator=(const KronDistanceValidator&) = delete;
    ~KronDistanceValidator();

    /// Validates a search. Distances and parents are in device memory, written by earlier work of
    /// the stream, and are those of the rank's vertices in the order of local numbers: the bits of
    /// float distances, infinity if a vertex was not reached; -1 for the parent of such a vertex,
    /// and the key itself for the key. Collective over the ranks; returns when all is done. Pre:
    /// key is a vertex.
    [[nodiscard]] DistanceVerdict validate(Vertex key, const std::uint32_t* own_distances,
                                           const std::int32_t* own_parents);

    /// Device memory that a validator of a graph of n vertices allocates, in bytes.
    [[nodiscard]] static std::size_t device_bytes(Vertex n, int ranks);

private:
    class Checker;
    std::unique_ptr<Checker> checker_;
};

}  // namespace wayfront::gpu::kron
