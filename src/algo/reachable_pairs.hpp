// Limits of the number of reachable pairs of a graph, without a search from each vertex.
//
// All vertices of a strongly connected component reach the same vertices. The limits are equal if the
// components have no edges between them: in an undirected graph, and in a strongly connected one.
// Otherwise, the vertices that the largest component reaches are counted by a search. A component
// reaches at least its own vertices and all that one of its successors reaches, and at most the sum
// over its successors; what the largest component reaches is counted once in this sum.
#pragma once

#include <cstdint>

#include "graph/csr.hpp"

namespace wayfront::algo {

/// The number of ordered pairs of two vertices of which the first one reaches the second one.
struct PairLimits
{
    std::uint64_t at_least = 0;
    std::uint64_t at_most = 0;
};

/// `out`: the lists of out-neighbours of a whole graph. `vertices`: those that have edges.
[[nodiscard]] PairLimits limit_reachable_pairs(CsrView out, std::uint64_t vertices);

}  // namespace wayfront::algo
