// The strongly connected components of a directed graph, by R. Tarjan's algorithm: "Depth-First Search
// and Linear Graph Algorithms", SIAM Journal on Computing 1, 1972, doi 10.1137/0201010, section 4. The
// path of the search is in an array, since a recursion may be as deep as the graph has vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/csr.hpp"

namespace wayfront::algo {

struct StrongComponents
{
    std::vector<std::uint32_t> component;  // by vertex: the number of its component, from 0
    /// All vertices, component after component. An edge between two components leads to the one with
    /// the smaller number.
    std::vector<std::uint32_t> order;
};

/// `out`: the lists of out-neighbours of a whole graph.
[[nodiscard]] StrongComponents strong_components(CsrView out);

}  // namespace wayfront::algo
