// Finds vertices that a search with pulls has left out because their whole distances do not fit 32
// bits.
//
// A vertex that pulls skips arcs that are too heavy for any sum, even if the arcs' ends are
// reached, and a sum that does not fit counts as infinite. Such a vertex has no distance at the
// end, as a vertex that cannot be reached, but one of its neighbours has a distance.
#pragma once

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// Notes an overflow in the summary if an arc leads from a reached vertex to an unreached vertex.
/// Leaves are checked when the results are written. Pre: the weights are whole numbers, and a
/// search with pulls has written the bounds.
void note_left_out_vertices(const SsspView& view, const Stream& stream);

}  // namespace wayfront::gpu::sssp
