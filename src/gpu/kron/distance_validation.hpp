// Validation of searches for shortest paths on the GPU, for Kronecker graphs, whose edges and
// weights are generated again instead of stored.
//
// The validation reads only the generator, the distances and the parents, and no other data of the
// search. It checks the five rules of Graph500, as in graph500/validate_distances.hpp:
//   1. The parents form a tree without cycles, rooted at the key: as in gpu/kron/validation.hpp.
//      Distances alone would not prove this, since weights may be 0.
//   2. The distances of a vertex and its parent differ by the weight of the edge that joins them.
//      If the weight of a tuple, added to the distance of one end and rounded, is the distance of
//      the other end, and the first end is the parent of the other end, the tuple marks the other
//      end. All reached vertices except the key must have a mark. The key has distance 0, and
//      exactly the vertices with a parent have a distance, which is finite.
//   3. No edge leads to a shorter distance: every tuple is generated and checked in both
//      directions.
//   4. The tree spans the key's component: a tuple that joins a reached vertex and an unreached
//      vertex leads to a shorter distance than infinity.
//   5. A vertex and its parent are joined by an edge: by the marks of rule 2. A vertex without a
//      mark breaks rule 2 or rule 5; a search for its edge among all tuples decides which.
// The reported offender is the vertex or the tuple with the lowest number, for any number of ranks:
// the same as in graph500/validate_distances.hpp with one rank.
//
// Several ranks work as in gpu/kron/validation.hpp: every rank gathers the distances and parents of
// all n vertices, finds the levels of all vertices, checks its share of the tuples, sends the marks
// to the vertices' owners, and checks its own vertices. Device memory: n * (1 byte of level + 1/8
// of mark); with several ranks, n * (8 bytes of distance and parent + 1/8) more; while a tree
// deeper than 253 levels is checked, 8 n more. The validation takes the time to generate the
// tuples, and to load two random words of 4 bytes per tuple; with several ranks, also the time to
// gather.
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

/// The faults of distances. Brackets contain the fields of DistanceVerdict, besides `rule`, that
/// describe the fault.
enum class DistanceFault : int {
    none,
    tree,          // rule 1: see `tree_fault` [vertex, parent]
    no_number,     // rule 2: a distance is negative infinity or not a number [vertex, distance]
    no_parent,     // rule 2: a vertex has a distance, but no parent [vertex, distance]
    no_distance,   // rule 2: a vertex has a parent, but no distance [vertex, parent]
    key_distance,  // rule 2: the key's distance is not 0 [vertex, distance]
    // Rule 2: no edge to the parent has the right weight [vertex, parent, distance, other_distance,
    // weight: the lightest].
    wrong_sum,
    // Rule 3: an edge leads to a shorter distance [edge, vertex, parent, distance, other_distance,
    // weight].
    shorter_path,
    // Rule 4: an edge joins a reached and an unreached vertex [edge, vertex, parent, distance,
    // other_distance, weight].
    leaves_component,
    missing_tree_edge,  // rule 5: no edge joins a vertex to its parent [vertex, parent, distance]
};

/// The result of a validation, which is equal on all ranks.
struct DistanceVerdict
{
    DistanceFault fault = DistanceFault::none;
    Fault tree_fault = Fault::none;  // fault of rule 1
    int rule = 0;                    // number of the broken rule in the benchmark, 1 to 5; 0: none

    // The offender. For an edge, `vertex` is its source and `parent` its target.
    Vertex vertex = kUnreached;
    Vertex parent = kUnreached;  // parent in the result of the search
    EdgeCount edge = -1;         // number of the tuple
    float distance = 0;          // distance of `vertex`; infinite if not reached
    float other_distance = 0;    // distance of `parent`
    float weight = 0;

    // Valid searches only:

    /// Number of tuples in the key's component, with self-loops counted once: m of TEPS.
    std::uint64_t component_tuples = 0;
    std::uint64_t reached = 0;  // number of reached vertices, including the key

    [[nodiscard]] bool valid() const { return fault == DistanceFault::none; }
};

/// Validates searches of one graph, and owns the memory for this.
class KronDistanceValidator
{
public:
    /// The graph consists of the first `tuples` tuples of the generator. Ranks and stream outlive
    /// the validator. Throws InputError if the scale is not from 1 to 31, and ResourceError if the
    /// device memory does not suffice.
    KronDistanceValidator(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks,
                          const Stream& stream);
    KronDistanceValidator(const KronDistanceValidator&) = delete;  // owns gigabytes
    KronDistanceValidator& operator=(const KronDistanceValidator&) = delete;
    ~KronDistanceValidator();

    /// Validates a search. Distances and parents are in device memory, written by earlier work of
    /// the stream, and are those of the rank's vertices by local number. own_distances: bits of
    /// floats; infinity if a vertex was not reached. own_parents: -1 if a vertex was not reached;
    /// the key is its own parent. Collective over the ranks. Returns when all work is complete.
    /// Pre: `key` is a vertex.
    [[nodiscard]] DistanceVerdict validate(Vertex key, const std::uint32_t* own_distances,
                                           const std::int32_t* own_parents);

    /// The bytes of device memory that a validator of a graph of n vertices allocates.
    [[nodiscard]] static std::size_t device_bytes(Vertex n, int ranks);

private:
    class Checker;
    std::unique_ptr<Checker> checker_;
};

}  // namespace wayfront::gpu::kron
