// The first step of validation: the level of each vertex, from the parents alone.
//
// Levels come by pointer doubling. Each vertex knows an ancestor and its distance from there, at first its parent and 1. In a round it asks the
// ancestor's owner for the ancestor's own pair, and adds it to its own; so distances at least double, and after ceil(log2 n) rounds every vertex of a
// tree has reached the key. One that has not hangs from a cycle.
//
// Pointer doubling: J. C. Wyllie: The complexity of parallel computations. PhD thesis, Cornell University, 1979 (as list ranking); J. JaJa: An
// Introduction to Parallel Algorithms. Addison-Wesley, 1992, section 2.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "comm/communicator.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"
#include "graph500/violations.hpp"

namespace wayfront::graph500 {

/// The level of a vertex that was not reached: further than 1 from any level, in 32-bit arithmetic that wraps. Real levels are below it.
inline constexpr std::uint32_t kNoLevel = 0xC0000000;

/// Memory that one validation after the other works in: an element of each array for each of the rank's vertices.
struct LevelScratch
{
    VertexArray ancestors;
    HostBuffer<std::uint32_t> pending;
};

/// Writes the levels of the rank's vertices, by local number, from their parents: key 0, others their parent's plus 1, unreached kNoLevel. Breaches
/// of rule 1 go to `violations`, and the levels are then worthless. Rule 2 holds by construction. `Id` is int32 or int64. Collective; `chunk_queries`
/// of a rank's questions are on their way at a time, the same number on all ranks.
template <typename Id>
void tree_levels(const comm::Communicator& communicator, const Partition& partition, Vertex key, std::span<const Id> parents,
                 std::span<std::uint32_t> levels, LevelScratch& scratch, std::size_t chunk_queries, ViolationRecord& violations);

}  // namespace wayfront::graph500
