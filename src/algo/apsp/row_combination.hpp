// Which rows of the matrix of all pairs are found by searches, and which are combined from others.
//
// For every t other than s, d(s, t) is the minimum of w(s, u) + d(u, t) over the arcs s -> u. So the
// row of s follows from the rows of its out-neighbours: as many rows as s has arcs are read from
// end to end, which takes a fraction of the time of a search. The rows of a set of vertices can be
// found in this way, one after the other, if no cycle of the graph stays inside the set. The other
// vertices are then a feedback vertex set. In a random graph with four arcs a vertex about 0.3 of
// the vertices remain to be searched.
//
// Sums are added up from the end of a path. So rows of whole numbers are exact, while floats may be
// rounded differently than in a search.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/csr.hpp"

namespace wayfront::algo {

struct RowCombination
{
    std::vector<std::uint32_t> searched;
    // Each after those of its out-neighbours that are combined, too.
    std::vector<std::uint32_t> combined;
    // Where the levels begin in `combined`, and its size: the rows of a level depend on searched rows
    // and on earlier levels only.
    std::vector<std::uint32_t> level_begins;
};

struct RowCombinationOptions
{
    /// Vertices with more arcs are searched. 0: all vertices are.
    std::uint32_t most_arcs = 16;
    /// Passes over the vertices that are not combined yet. Each takes about as long as reading all
    /// lists, and leaves fewer vertices to be searched; after six, few more are gained.
    int passes = 6;
};

/// Divides the vertices 0 to `vertices` - 1. `out` and `in` are the lists of both directions,
/// without self-loops.
[[nodiscard]] RowCombination combine_rows(const CsrView& out, const CsrView& in, std::uint32_t vertices, const RowCombinationOptions& options = {});

}  // namespace wayfront::algo
