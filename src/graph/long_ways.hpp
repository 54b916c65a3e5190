// Whether searches of a graph have many levels.
#pragma once

#include "graph/csr.hpp"

namespace wayfront {

/// Whether breadth-first searches of the graph take hundreds of levels, as on roads and meshes. It is
/// judged by a search of at most 2^16 vertices. `lists` are the out-edges of all vertices, which have
/// one number as the head of a list and as a neighbour: those of the only rank.
[[nodiscard]] bool has_long_ways(const CsrView& lists);

}  // namespace wayfront
