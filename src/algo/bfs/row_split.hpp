// A block cut by rows into two blocks with the same columns, for two engines that search it together.
//
// Rows are dealt in words of 64, so that each part's bitmaps are made of whole words of the block's. Construction numbers rows by descending degree
// class within each chunk; a cut into two ranges would give one part the hubs, which are found in the first levels, and the other the long tail,
// which is found later, and one would wait for the other at every level. So words are dealt along the numbering such that, from any row to any other,
// both parts hold their shares of the edges, and so of the rows of each degree class: whichever classes a level searches, the parts' work stands in
// the same ratio. Inside a part rows are renumbered without gaps, in the block's order: its lists are contiguous, and its bitmaps as small as
// its share.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront {

/// The words of 64 rows of each part, ascending. Together they are all words of the block.
using RowSplit = std::array<HostBuffer<std::uint32_t>, 2>;

/// Deals the rows of a block such that the first part holds `share` (0 to 1) of the in-edges, as nearly as words allow; of 0 and 1 exactly.
[[nodiscard]] RowSplit split_rows(const CsrBlock& block, double share);

/// The block of the given words of rows, whose row i is row words[i / 64] * 64 + i % 64 of `block`. Columns are the block's. Of the description of
/// chunks only rows() and cols() mean anything; there are no out_degrees. Copies the edges.
[[nodiscard]] CsrBlock take_rows(const CsrBlock& block, std::span<const std::uint32_t> words);

}  // namespace wayfront
