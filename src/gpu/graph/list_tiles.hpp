// The division of the edges of many lists into units of work: arithmetic that kernels and the host
// share. Free of CUDA's headers.
//
// D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012,
// doi:10.1145/2145816.2145832, section 5: the lists of a frontier are expanded in two ways, by
// length. Wide lists are cut into pieces, which are stored in a queue; a warp takes one piece at a
// time. The edges of narrow lists are numbered by a prefix sum, one tile of lists at a time, and
// distributed to the threads of a block one by one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace wayfront::gpu {

inline constexpr std::uint32_t kBlockThreads = 256;
inline constexpr std::uint32_t kBlockWarps = kBlockThreads / 32;

// Number of lists that a block takes at a time.
inline constexpr std::uint32_t kTileLists = kBlockThreads;
// Smallest number of edges of a wide list, which suffices for all lanes of a warp.
inline constexpr std::uint32_t kWideFrom = 32;
// Number of edges of a wide list that a warp takes at a time.
inline constexpr std::uint32_t kPieceEdges = 256;

/// A piece of a wide list: kPieceEdges edges, or the remaining edges.
struct WidePiece
{
    std::uint32_t list;
    std::uint32_t piece;
};

/// The number of pieces of a list; 0 if the list is narrow.
[[nodiscard]] WAYFRONT_HD constexpr std::uint64_t wide_pieces(std::uint64_t degree)
{
    return degree < kWideFrom ? 0 : (degree + kPieceEdges - 1) / kPieceEdges;
}

/// Two sums in one number, so that one prefix sum over a tile computes both: narrow edges in the
/// lower 16 bits, pieces in the upper 48.
struct TileSum
{
    std::uint64_t packed = 0;

    [[nodiscard]] WAYFRONT_HD static constexpr TileSum of_list(std::uint64_t degree)
    {
        return {(wide_pieces(degree) << kEdgeBits) | (degree < kWideFrom ? degree : 0)};
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t narrow_edges() const
    {
        return static_cast<std::uint32_t>(packed & ((1U << kEdgeBits) - 1));
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::uint64_t pieces() const { return packed >> kEdgeBits; }

    static constexpr int kEdgeBits = 16;
};
static_assert(kTileLists * (kWideFrom - 1) < (1U << TileSum::kEdgeBits), "the narrow edges of a tile fit their bits");

/// The list to which edge number `edge` belongs, if before[i] edges precede list i (ascending;
/// before[0] is 0): the last i with before[i] <= edge. So lists without edges are skipped.
[[nodiscard]] WAYFRONT_HD constexpr std::uint32_t list_of_edge(const std::uint32_t* before, std::uint32_t lists,
                                                               std::uint32_t edge)
{
    std::uint32_t low = 0;
    std::uint32_t high = lists;
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (before[middle] <= edge)
            low = middle;
        else
            high = middle;
    }
    return low;
}

}  // namespace wayfront::gpu
