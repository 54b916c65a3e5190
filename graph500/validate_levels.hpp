// The first step of validation: the level of each vertex, from the parents alone.
//
// Levels are computed by pointer doubling. Each vertex has an ancestor and its distance from this
// ancestor, at first its parent and 1. In a round it requests the ancestor's
// pair from the ancestor's owner, replaces its ancestor by that of the pair, and adds the distance. Distances at least
// double in each round, so that after ceil(log2 n) rounds every vertex of a tree has reached the key. A vertex that has
// not is connected to a cycle of parents.
//
// Pointer doubling: J. C. Wyllie: The complexity of parallel computations. PhD thesis, Cornell
// University, 1979 (as list ranking); J. JaJa: An Introduction to Parallel Algorithms.
// Addison-Wesley, 1992, section 2.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "comm/communicator.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"
#include "graph500/roots.hpp"
#include "graph500/violations.hpp"

namespace wayfront::graph500 {

/// The level of a vertex that was not reached. It is more than 1 away from all real levels, which
/// are smaller, even in 32-bit arithmetic that wraps.
inline constexpr std::uint32_t kNoLevel = 0xC0000000;

/// Memory that validations reuse: one element of each array per vertex of the rank.
struct LevelScratch
{
    VertexArray ancestors;
    HostBuffer<std::uint32_t> pending;
};

/// The parents of this rank's vertices, by local number, and the roots to which they should lead. A view.
template <typename Id>
struct ParentTrees
{
    const comm::Communicator& communicator;
    const Partition& partition;
    const Roots<Id>& roots;
    std::span<const Id> parents;
};

/// Computes the levels of the rank's vertices, by local number, from their parents: 0 for roots,
/// the parent's level plus 1 for others, kNoLevel if not reached. Violations of rule 1, also that
/// parents lead to another root than `trees.roots` has for the vertex, are added to `violations`; the
/// levels are undefined then. Rule 2 holds by construction. `Id` is int32 or
/// int64. At most `chunk_queries` queries of a rank are under way at a time, the same number on all
/// ranks. Collective.
template <typename Id>
void tree_levels(const ParentTrees<Id>& trees, std::span<std::uint32_t> levels, LevelScratch& scratch,
                 std::size_t chunk_queries, ViolationRecord& violations);

}  // namespace wayfront::graph500
