// The division of a dense matrix's columns into tiles, one for each thread block. Plain functions
// that can be tested without a GPU.
//
// Formulas (1) and (2) are those of section 2.2 of the paper in dense/view.hpp. n is the number of
// vertices, and T the number of vertices whose distances a block computes. The shared memory of the
// block contains n distances of the last pass, and T distances and T predecessors of the current
// pass: formula (1). Formula (2) adds T columns of the matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace wayfront::gpu::sssp {

inline constexpr std::size_t kWordBytes = 4;
inline constexpr std::uint32_t kColumnsOfLoad = 4;  // a thread loads four columns together, 16 bytes

/// Formula (1): the largest number of columns T with 4 (n + 2 T) <= shared_bytes.
[[nodiscard]] constexpr std::size_t most_columns_without_matrix(std::size_t n, std::size_t shared_bytes)
{
    const std::size_t words = shared_bytes / kWordBytes;
    return words < n ? 0 : (words - n) / 2;
}

/// Formula (2): the largest number of columns T with 4 (n T + n + 2 T) <= shared_bytes.
[[nodiscard]] constexpr std::size_t most_columns_with_matrix(std::size_t n, std::size_t shared_bytes)
{
    const std::size_t words = shared_bytes / kWordBytes;
    return words < n ? 0 : (words - n) / (n + 2);
}

/// Number of threads of a block, and number of vertices that the block compacts at a time.
inline constexpr std::uint32_t kDenseThreads = 1024;
inline constexpr std::uint32_t kCompactedAtOnce = 8 * kDenseThreads;

/// The layout of a block's shared memory, as offsets in bytes.
struct DenseLayout
{
    // Distances of changed vertices: the n words of the formulas, but at most kCompactedAtOnce.
    std::size_t distances = 0;
    std::size_t vertices = 0;  // numbers of the changed vertices
    // For each thread and each of its columns: the smallest sum and its predecessor.
    std::size_t partial = 0;
    std::size_t matrix = 0;  // the tile, if it is in shared memory
    std::size_t bytes = 0;
};

/// The division of n columns into tiles of equal width. A tile is stored row by row; the tiles are
/// stored one after the other.
struct DenseTiles
{
    std::uint32_t n = 0;
    std::uint32_t columns = 0;  // number of columns in a tile; a multiple of kColumnsOfLoad
    std::uint32_t tiles = 0;
    // Whether tiles are in shared memory (formula (2)). The matrix is then read once for all
    // passes.
    bool in_shared_memory = false;

    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t padded_columns() const { return columns * tiles; }
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t tile_words() const { return std::size_t{n} * columns; }
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t words() const { return tile_words() * tiles; }
    /// The index of an element in the stored matrix.
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t place(std::uint32_t row, std::uint32_t column) const
    {
        return column / columns * tile_words() + std::size_t{row} * columns + column % columns;
    }
    /// Number of threads that read a row of a tile together, and number of such groups in a block.
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t threads_of_row() const { return columns / kColumnsOfLoad; }
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t groups() const { return kDenseThreads / threads_of_row(); }

    [[nodiscard]] WAYFRONT_HD constexpr DenseLayout layout() const
    {
        const std::size_t listed = std::size_t{n < kCompactedAtOnce ? n + 3 : kCompactedAtOnce} / 4 * 4;
        DenseLayout layout;
        layout.vertices = listed * kWordBytes;
        layout.partial = 2 * listed * kWordBytes;
        layout.matrix = layout.partial + std::size_t{2} * kDenseThreads * kColumnsOfLoad * kWordBytes;
        layout.bytes = layout.matrix + (in_shared_memory ? tile_words() * kWordBytes : 0);
        return layout;
    }
};

/// Largest number of columns for a block of kDenseThreads threads.
inline constexpr std::uint32_t kMostColumns = kDenseThreads * kColumnsOfLoad;

/// Divides the columns evenly over the blocks. The tiles are in shared memory if `keep` is true and
/// formula (2) allows it, including the memory for numbers of changed vertices and for the threads'
/// partial results. Pre: n <= blocks * kMostColumns.
[[nodiscard]] constexpr DenseTiles divide_columns(std::uint32_t n, unsigned blocks, std::size_t shared_bytes, bool keep)
{
    DenseTiles tiles;
    tiles.n = n;
    const std::uint32_t even = std::max((n + blocks - 1) / blocks, 1U);
    tiles.columns = (even + kColumnsOfLoad - 1) / kColumnsOfLoad * kColumnsOfLoad;
    tiles.tiles = (n + tiles.columns - 1) / tiles.columns;
    // The partial results include the T distances and T predecessors of the formulas.
    const DenseLayout layout = tiles.layout();
    const std::size_t others = layout.matrix - layout.vertices - 2 * std::size_t{tiles.columns} * kWordBytes;
    tiles.in_shared_memory =
        keep && others < shared_bytes && tiles.columns <= most_columns_with_matrix(n, shared_bytes - others);
    return tiles;
}

}  // namespace wayfront::gpu::sssp
