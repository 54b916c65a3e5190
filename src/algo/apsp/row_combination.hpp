// Divides the rows of the matrix of all pairs into rows that are found by searches and rows that
// are combined from others.
//
// For every t other than s, d(s, t) is the minimum of w(s, u) + d(u, t) over the arcs s -> u. So
// the row of s follows from the rows of its out-neighbours. One row for each arc of s is read from
// end to end, which takes a fraction of the time of a search. The rows of a set of vertices can be
// found in this way, one after the other, if no cycle of the graph stays inside the set. The other
// vertices are then a feedback vertex set (feedback_vertices.hpp). In a random graph with four arcs
// a vertex 0.23 of the vertices are searched.
//
// Sums are added up from the end of a path. So rows of whole numbers are exact, while floats may be
// rounded differently than in a search.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/apsp/feedback_vertices.hpp"
#include "graph/csr.hpp"

namespace wayfront::algo {

struct RowCombination
{
    std::vector<std::uint32_t> searched;  // in the order in which they were found
    // The combined vertices, each after the combined vertices among its out-neighbours.
    std::vector<std::uint32_t> combined;
    // The beginnings of the levels in `combined`, and its size: the rows of a level depend on
    // searched rows and on earlier levels only.
    std::vector<std::uint32_t> level_begins;
};

/// Divides the vertices 0 to `vertices` - 1. `out` and `in` are the lists of both directions,
/// without self-loops and duplicates. `listener` takes the vertices that are searched while the
/// others are still being divided; it may be empty.
[[nodiscard]] RowCombination combine_rows(const CsrView& out, const CsrView& in, std::uint32_t vertices,
                                          const FeedbackVertexOptions& options = {},
                                          const MemberListener& listener = {});

/// An estimate of the work of combine_rows().
struct ExpectedCombination
{
    double searched = 0;       // the number of searched rows
    double combined_arcs = 0;  // the number of arcs of the vertices whose rows are combined
};

/// An estimate from the degrees of both ends of each arc. Its time is that of reading the arcs of
/// vertices that have few.
[[nodiscard]] ExpectedCombination expected_combination(const CsrView& out, std::uint32_t vertices, bool directed);

}  // namespace wayfront::algo
