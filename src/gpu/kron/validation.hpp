// Validation of breadth-first searches on the GPU, for Kronecker graphs, whose edges are made anew instead of stored.
//
// It looks at the generator and at the parents, and at nothing that a search used. The five rules of Graph500, and how each is checked:
//   1. the parents form a tree without cycles, rooted at the key    walking up from every reached vertex ends at the key; where a walk grows long,
//                                                                   pointer doubling decides
//   2. a vertex and its parent are one level apart                  a vertex's level is the length of its walk; looked at once more at the end
//   3. an edge joins vertices at most one level apart               every tuple is made and looked at
//   4. the tree spans the key's component                           no tuple joins a reached vertex and an unreached one
//   5. a vertex and its parent are joined by an edge                every tuple from a vertex to its parent leaves a mark; all but the key have one
// The offender that is named is the lowest vertex, or the tuple of the lowest number, whatever the number of ranks: that of graph500/validate.hpp
// with one rank.
//
// Vertex v belongs to rank v mod P, as its number v / P. Every rank gathers the parents of all n vertices and finds the levels of all, checks its
// share of the tuples, sends the marks to the vertices' owners, and looks at its own vertices. Device memory: n * (1 byte of level + 1/8 of mark),
// with several ranks n * (4 bytes of parent + 1/8) more; while a tree deeper than 253 levels is checked 8 n more.
//
// Time is bounded by the tuples: two random byte loads each, and about half of them a random 4-byte load; making them costs as much arithmetic as
// those loads cost memory, and with several ranks the gathering of all parents comes on top (docs/gpu.md has what was measured).
//
// Specification: Graph 500 Benchmark Specification, version 3, section "Validation". Pointer doubling: J. C. Wyllie: The complexity of parallel
// computations. PhD thesis, Cornell University, 1979.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::gpu {

class DeviceCollectives;
class Stream;

/// What can be wrong; in brackets the fields of Verdict that tell of it, besides `rule`.
enum class Fault : int {
    none,
    key_parent,         // rule 1: the key is not its own parent [vertex, parent]
    parent_range,       // rule 1: a parent that is no vertex [vertex, parent]
    own_parent,         // rule 1: a vertex other than the key is its own parent [vertex, parent]
    parent_unreached,   // rule 1: a vertex has a parent that was not reached [vertex, parent]
    cycle,              // rule 1: a vertex hangs from a cycle of parents [vertex, parent]
    level_gap,          // rule 2: a vertex's level is not its parent's plus one [vertex, parent, level, other_level]
    edge_levels,        // rule 3: an edge joins vertices more than one level apart [edge, vertex, parent, level, other_level]
    leaves_component,   // rule 4: an edge joins a reached vertex and an unreached one [edge, vertex, parent, level, other_level]
    missing_tree_edge,  // rule 5: no edge joins a vertex to its parent [vertex, parent, level, other_level]
};

/// What validation found; equal on all ranks.
struct Verdict
{
    Fault fault = Fault::none;
    int rule = 0;  // the benchmark's number of the rule broken, 1 to 5; 0: none

    // The offender. Of an edge, `vertex` is the source and `parent` the target.
    Vertex vertex = kUnreached;
    Vertex parent = kUnreached;     // as the search gave it
    EdgeCount edge = -1;            // number of the tuple
    std::int64_t level = -1;        // of `vertex`; -1: not reached
    std::int64_t other_level = -1;  // of `parent`

    // Of a valid search.
    std::uint64_t component_tuples = 0;  // tuples inside the key's component, a self-loop once: m of TEPS
    std::uint64_t reached = 0;           // vertices, the key included
    std::int64_t max_level = 0;

    [[nodiscard]] bool valid() const { return fault == Fault::none; }
};

/// Checks searches of one graph, and keeps the memory for it.
class KronValidator
{
public:
    /// The graph has the first `tuples` tuples of the generator and n = 2^scale vertices, scale at most 31: otherwise throws InputError. Ranks and
    /// stream outlive the validator. Throws ResourceError if device memory does not suffice.
    KronValidator(const KronParameters& parameters, EdgeCount tuples, Vertex n, DeviceCollectives& ranks, const Stream& stream);
    KronValidator(KronValidator&&) noexcept;
    KronValidator& operator=(KronValidator&&) noexcept;
    KronValidator(const KronValidator&) = delete;  // owns gigabytes
    KronValidator& operator=(const KronValidator&) = delete;
    ~KronValidator();

    /// `own_parents`, in device memory and written by earlier work of the stream, are those of the rank's vertices in the order of their local
    /// numbers: -1 where not reached, the key's itself. Collective over the ranks; returns when all is done. Pre: 0 <= key < n.
    [[nodiscard]] Verdict validate(Vertex key, const std::int32_t* own_parents);

    /// Device memory that a validator allocates, in bytes.
    [[nodiscard]] static std::size_t device_bytes(Vertex n, int ranks);

private:
    class Checker;
    std::unique_ptr<Checker> checker_;
};

}  // namespace wayfront::gpu
