// The 2D partition of the adjacency matrix over the ranks, as pure arithmetic.
//
// Vertices are distributed cyclically over the P = R x C ranks: vertex v belongs to rank v mod P, where it has
// number v / P. The vertices of a rank are its chunk. Rank k is at position (k / C, k % C) of the
// grid. The rows of the block of rank (i, j) are the chunks of its grid row, (i, 0) to (i, C-1), in
// this order; its columns are the chunks of its grid column, (0, j) to (R-1, j). Edge u -> v is in
// the block whose columns contain u and whose rows contain v. So the frontier that a grid column
// gathers is exactly what its blocks need, a grid row folds found rows onto owners within the row,
// and no message transposes a vector.
//
// The distribution is cyclic, not contiguous, because in most inputs vertices of large degrees are next to each
// other.
#pragma once

#include <cstdint>
#include <string>

#include "base/bitmap.hpp"
#include "base/error.hpp"
#include "base/types.hpp"

namespace wayfront {

class Partition
{
public:
    /// Searches store a column of the grid in 16 bits.
    static constexpr int kMaxGridColumns = 1 << 16;

    /// n vertices over a grid of rows x columns ranks. Throws InputError if it is no grid, or too
    /// wide, or if a block's rows or columns do not fit 32-bit local indices.
    Partition(Vertex n, int rows, int columns)
        : n_(n),
          rows_(rows),
          columns_(columns),
          ranks_(static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns))
    {
        if (n < 0 || n > kMaxVertices) throw InputError("a graph has at most 2^48 vertices, not " + std::to_string(n));
        if (rows < 1 || columns < 1 || columns > kMaxGridColumns)
            throw InputError("a grid of ranks has at least 1 row and 1 to " + std::to_string(kMaxGridColumns) +
                             " columns, not " + std::to_string(rows) + "x" + std::to_string(columns));
        const auto widest = static_cast<std::uint64_t>(rows > columns ? rows : columns);
        // Construction rounds a chunk's slots up to whole words.
        if (round_up_to_word(chunk_stride()) * widest > kMaxBlockSide)
            throw InputError(
                "a block of " + std::to_string(chunk_stride() * widest) +
                " rows or columns does not fit 32-bit indices; use more ranks, or a squarer grid (--grid)");
    }

    [[nodiscard]] Vertex vertex_count() const { return n_; }
    [[nodiscard]] int grid_rows() const { return rows_; }
    [[nodiscard]] int grid_columns() const { return columns_; }
    [[nodiscard]] int ranks() const { return rows_ * columns_; }

    /// Throws InputError if the graph has no vertex v.
    void require(Vertex v) const
    {
        if (v < 0 || v >= n_)
            throw InputError("vertex " + std::to_string(v) + " is not in the graph, which has " + std::to_string(n_) +
                             " vertices");
    }

    [[nodiscard]] int owner(Vertex v) const { return static_cast<int>(static_cast<std::uint64_t>(v) % ranks_); }
    /// The number of v within its owner's chunk.
    [[nodiscard]] std::uint32_t local(Vertex v) const
    {
        return static_cast<std::uint32_t>(static_cast<std::uint64_t>(v) / ranks_);
    }
    [[nodiscard]] Vertex vertex(int rank, std::uint32_t local) const
    {
        return static_cast<Vertex>(local * ranks_ + static_cast<std::uint64_t>(rank));
    }

    /// The number of vertices of a rank.
    [[nodiscard]] std::uint32_t chunk_size(int rank) const
    {
        const auto first = static_cast<std::uint64_t>(rank);
        const auto n = static_cast<std::uint64_t>(n_);
        return static_cast<std::uint32_t>(n > first ? (n - first + ranks_ - 1) / ranks_ : 0);
    }
    /// The size of the largest chunk: the distance between the chunks of a block's rows or columns
    /// before renumbering.
    [[nodiscard]] std::uint64_t chunk_stride() const { return (static_cast<std::uint64_t>(n_) + ranks_ - 1) / ranks_; }

    [[nodiscard]] int grid_row(int rank) const { return rank / columns_; }
    [[nodiscard]] int grid_column(int rank) const { return rank % columns_; }
    [[nodiscard]] int rank_at(int grid_row, int grid_column) const { return grid_row * columns_ + grid_column; }
    /// The rank whose block contains edge source -> target.
    [[nodiscard]] int block_of(Vertex source, Vertex target) const
    {
        return rank_at(grid_row(owner(target)), grid_column(owner(source)));
    }

private:
    Vertex n_;
    int rows_;
    int columns_;
    std::uint64_t ranks_;
};

}  // namespace wayfront
