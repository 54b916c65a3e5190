// Whether searches of a graph have many levels.
#pragma once

#include "graph/csr.hpp"

namespace wayfront {

/// Whether breadth-first searches of the graph have hundreds of levels, as on roads and meshes. It is
/// judged by at most four searches that end after about 2^16 vertices or 2^20 arcs each. `lists` are
/// the out-edges of all vertices, which have one number as the head of a list and as a neighbour:
/// those of the only rank.
[[nodiscard]] bool has_large_diameter(const CsrView& lists);

}  // namespace wayfront
