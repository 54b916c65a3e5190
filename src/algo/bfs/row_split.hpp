// A block that is cut by rows into two blocks with the same columns, for two engines that search it
// together.
//
// Rows are distributed in words of 64, so that the bitmaps of a part consist of whole words of the
// block's bitmaps. Construction numbers rows by descending degree class within each chunk. A cut
// into two ranges would give the hubs to one part, which are found in the first levels, and the
// long tail to the other, which is found later: at every level one engine would wait for the other.
// Instead the words are distributed in the order of the numbering, so that in any range of rows both parts have
// their shares of the edges, and therefore of the rows of each degree class. In every level the
// work of the parts has the same ratio. Inside a part rows are renumbered without gaps, in the
// block's order: the lists are contiguous, and the bitmaps are as small as the part.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront {

/// The words of 64 rows of each part, in ascending order. Together they are all words of the block.
using RowSplit = std::array<HostBuffer<std::uint32_t>, 2>;

/// Deals the rows of a block such that the first part has `share` (0 to 1) of the in-edges, as
/// closely as whole words allow; exactly, if the share is 0 or 1.
[[nodiscard]] RowSplit split_rows(const CsrBlock& block, double share);

/// Returns a block of the given words of rows: its row i is row words[i / 64] * 64 + i % 64 of
/// `block`. Its columns are those of `block`. The facts about its chunks are not meaningful except
/// for rows() and cols(), and it has no out_degrees. Copies the edges.
[[nodiscard]] CsrBlock take_rows(const CsrBlock& block, std::span<const std::uint32_t> words);

}  // namespace wayfront
