// Validation of breadth-first searches on the GPU, for Kronecker graphs, whose edges are generated
// again instead of stored.
//
// The validation reads only the generator and the parents, and no other data of the search. It
// checks the five rules of Graph500:
//   1. The parents form a tree without cycles, rooted at the key: walking up from every reached
//      vertex ends at the key. If a walk is long, pointer doubling decides.
//   2. A vertex and its parent are one level apart: the level of a vertex is the length of its
//      walk, and the two levels are compared once more at the end.
//   3. An edge joins vertices at most one level apart: every tuple is generated and checked.
//   4. The tree spans the key's component: no tuple joins a reached vertex and an unreached vertex.
//   5. A vertex and its parent are joined by an edge: every tuple from a vertex to its parent marks
//      the vertex, and all reached vertices except the key must have a mark.
// The reported offender is the vertex or the tuple with the lowest number, for any number of ranks:
// the same as in graph500/validate.hpp with one rank.
//
// Vertex v belongs to rank v mod P and has local number v / P. Every rank gathers the parents of
// all n vertices, finds the levels of all vertices, checks its share of the tuples, sends the marks
// to the vertices' owners, and checks its own vertices. Device memory: n * (1 byte of level + 1/8
// of mark); with several ranks, n * (4 bytes of parent + 1/8) more; while a tree deeper than 253
// levels is checked, 8 n more.
//
// The time depends on the tuples: each tuple needs two random loads of a byte, and about half of
// the tuples a random load of 4 bytes. Generating the tuples takes as much time in arithmetic as
// these loads take in memory accesses. With several ranks, gathering all parents takes additional
// time (docs/gpu.md has the measurements).
//
// Specification: Graph 500 Benchmark Specification, version 3, section "Validation". Pointer
// doubling: J. C. Wyllie: The complexity of parallel computations. PhD thesis, Cornell University,
// 1979.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::gpu {
class DeviceCollectives;
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::kron {

/// The faults that validation finds. Brackets contain the fields of Verdict, besides `rule`, that
/// describe the fault.
enum class Fault : int {
    none,
    key_parent,        // rule 1: the key is not its own parent [vertex, parent]
    parent_range,      // rule 1: a parent is not a vertex [vertex, parent]
    own_parent,        // rule 1: a vertex other than the key is its own parent [vertex, parent]
    parent_unreached,  // rule 1: the parent of a vertex was not reached [vertex, parent]
    cycle,             // rule 1: the parents of a vertex lead into a cycle [vertex, parent]
    // Rule 2: a vertex's level is not its parent's plus one [vertex, parent, level, other_level].
    level_gap,
    // Rule 3: an edge joins vertices more than one level apart [edge, vertex, parent, level,
    // other_level].
    edge_levels,
    // Rule 4: an edge joins a reached and an unreached vertex [edge, vertex, parent, level,
    // other_level].
    leaves_component,
    // Rule 5: no edge joins a vertex to its parent [vertex, parent, level, other_level].
    missing_tree_edge,
};

/// The result of a validation, which is equal on all ranks.
struct Verdict
{
    Fault fault = Fault::none;
    int rule = 0;  // number of the broken rule in the benchmark, 1 to 5; 0: none

    // The offender. For an edge, `vertex` is its source and `parent` its target.
    Vertex vertex = kUnreached;
    Vertex parent = kUnreached;     // parent in the result of the search
    EdgeCount edge = -1;            // number of the tuple
    std::int64_t level = -1;        // level of `vertex`; -1: not reached
    std::int64_t other_level = -1;  // level of `parent`

    // Valid searches only:

    /// Number of tuples in the key's component, with self-loops counted once: m of TEPS.
    std::uint64_t component_tuples = 0;
    std::uint64_t reached = 0;  // number of reached vertices, including the key
    std::int64_t max_level = 0;

    [[nodiscard]] bool valid() const { return fault == Fault::none; }
};

/// Validates searches of one graph, and owns the memory for this.
class KronValidator
{
public:
    /// The graph consists of the first `tuples` tuples of the generator, and of n = 2^scale
    /// vertices. Ranks and stream outlive the validator. Throws InputError if n is not 2^scale or
    /// the scale is more than 31, and ResourceError if the device memory does not suffice.
    KronValidator(const KronParameters& parameters, EdgeCount tuples, Vertex n, DeviceCollectives& ranks,
                  const Stream& stream);
    KronValidator(KronValidator&&) noexcept;
    KronValidator& operator=(KronValidator&&) noexcept;
    KronValidator(const KronValidator&) = delete;  // owns gigabytes
    KronValidator& operator=(const KronValidator&) = delete;
    ~KronValidator();

    /// Validates a search. `own_parents` is in device memory, written by earlier work of the
    /// stream, and contains the parents of the rank's vertices by local number: -1 if a vertex was
    /// not reached; the key is its own parent. Collective over the ranks. Returns when all work is
    /// complete. Pre: 0 <= key < n.
    [[nodiscard]] Verdict validate(Vertex key, const std::int32_t* own_parents);

    /// The bytes of device memory that a validator allocates.
    [[nodiscard]] static std::size_t device_bytes(Vertex n, int ranks);

private:
    class Checker;
    std::unique_ptr<Checker> checker_;
};

}  // namespace wayfront::gpu::kron
