// A feedback vertex set: vertices without which a graph has no cycle. The set is small, but not the
// smallest.
//
// The graph shrinks by the rules of H. Levy and D. W. Low, "A contraction algorithm for finding
// small cycle cutsets", Journal of Algorithms 9, 1988, which do not make the set larger:
//
//   - A vertex without arcs in one direction is on no cycle, and is removed.
//   - If a vertex has only one in-neighbour, each cycle through the vertex passes the in-neighbour,
//     too. So the vertex is contracted into it: its out-arcs become the in-neighbour's. The same
//     holds in the other direction.
//   - A vertex with a loop, which contractions make, is in the set.
//
// When no rule applies, the vertex whose in-degree times out-degree is the largest joins the set,
// as in P. M. Pardalos, T. Qian and M. G. C. Resende, "A greedy randomized adaptive search
// procedure for the feedback vertex set problem", Journal of Combinatorial Optimization 2, 1999.
//
// Members of the set are found one after the other, and are final, so that they can be used while
// others are still searched for. So that the first members are found early, contractions wait until
// the vertices with far more than the mean product have joined.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/csr.hpp"

namespace wayfront::algo {

/// Receives the next members of a set.
using MemberListener = std::function<void(std::span<const std::uint32_t>)>;

struct FeedbackVertexOptions
{
    /// Vertices with more out-arcs are members. 0: all vertices are.
    std::uint32_t most_arcs = 16;
    /// The fewest members that are handed to a listener at a time, except for the last call.
    std::size_t members_at_once = 512;
};

/// The members among the vertices 0 to `vertices` - 1, in the order in which they were found. `out`
/// and `in` are the lists of both directions, without self-loops and duplicates. `listener` may be
/// empty.
[[nodiscard]] std::vector<std::uint32_t> feedback_vertices(const CsrView& out, const CsrView& in,
                                                           std::uint32_t vertices,
                                                           const FeedbackVertexOptions& options = {},
                                                           const MemberListener& listener = {});

}  // namespace wayfront::algo
