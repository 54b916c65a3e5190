// Whether searches of a graph have many levels.
#pragma once

#include <cstddef>

#include "graph/csr.hpp"

namespace wayfront {

/// The levels of a breadth-first search of the graph, at most `most`, as far as at most four searches tell
/// that end after about 2^16 vertices or 2^20 arcs each. `lists` are the out-edges of all vertices, which
/// have one number as the head of a list and as a neighbour: those of the only rank.
[[nodiscard]] std::size_t sampled_levels(const CsrView& lists, std::size_t most);

/// Whether breadth-first searches of the graph have hundreds of levels, as on roads and meshes, by
/// sampled_levels().
[[nodiscard]] bool has_large_diameter(const CsrView& lists);

}  // namespace wayfront
