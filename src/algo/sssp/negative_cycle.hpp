// Cycles among parents.
//
// While no distance but the source's is set, the parents form a tree. A parent changes only when a
// distance decreases. If an edge closes a cycle of parents, the length of the cycle is therefore
// negative. Conversely, if distances still change in the n-th round of a search of n vertices, the
// parents have a cycle. Both statements also hold for rounded sums, if the length of a cycle is
// computed by rounded sums that begin with the distance of one of its vertices: B. Cherkassky, A.
// Goldberg, "Negative-cycle detection algorithms", Mathematical Programming 85, 1999,
// doi:10.1007/s101070050058.
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "graph/partition.hpp"

namespace wayfront::algo {

/// The vertices of a cycle of parents, in the order of its edges (each is the parent of the next,
/// and the last of the first); empty if there is none. `parents` are those of this rank's vertices
/// by local number. All ranks get the same cycle. Gathers the parents of all vertices. Collective
/// over the world.
std::vector<Vertex> find_parent_cycle(const comm::Communicator& world, const Partition& partition,
                                      std::span<const Vertex> parents);

}  // namespace wayfront::algo
