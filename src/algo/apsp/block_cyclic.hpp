// The distribution of the tiles of a square matrix over a grid of ranks: tile (i, j) is on the rank
// in grid row i mod R and grid column j mod C. So all ranks have work until the last step of
// Floyd-Warshall. Pure arithmetic.
#pragma once

#include <cstddef>

#include "comm/process_grid.hpp"

namespace wayfront::algo {

/// The distribution, as seen by one rank.
struct BlockCyclic
{
    std::size_t tile = 1;   // rows and columns of a tile
    std::size_t tiles = 0;  // on a side of the matrix
    comm::GridShape shape;
    int grid_row = 0;  // of the rank
    int grid_column = 0;

    [[nodiscard]] std::size_t side() const { return tiles * tile; }

    [[nodiscard]] int owner_row(std::size_t tile_row) const
    {
        return static_cast<int>(tile_row % static_cast<std::size_t>(shape.rows));
    }
    [[nodiscard]] int owner_column(std::size_t tile_column) const
    {
        return static_cast<int>(tile_column % static_cast<std::size_t>(shape.columns));
    }
    [[nodiscard]] bool has_row(std::size_t tile_row) const { return owner_row(tile_row) == grid_row; }
    [[nodiscard]] bool has_column(std::size_t tile_column) const { return owner_column(tile_column) == grid_column; }

    /// The position of a tile among those that its rank holds.
    [[nodiscard]] std::size_t local_row(std::size_t tile_row) const
    {
        return tile_row / static_cast<std::size_t>(shape.rows);
    }
    [[nodiscard]] std::size_t local_column(std::size_t tile_column) const
    {
        return tile_column / static_cast<std::size_t>(shape.columns);
    }

    /// The number of tiles in a column, or a row, of a rank's tiles.
    [[nodiscard]] std::size_t local_rows() const { return part(tiles, grid_row, shape.rows); }
    [[nodiscard]] std::size_t local_columns() const { return columns_of(grid_column); }
    [[nodiscard]] std::size_t columns_of(int other_grid_column) const
    {
        return part(tiles, other_grid_column, shape.columns);
    }

private:
    static std::size_t part(std::size_t count, int index, int parts)
    {
        const auto first = static_cast<std::size_t>(index);
        return count <= first ? 0 : (count - first - 1) / static_cast<std::size_t>(parts) + 1;
    }
};

}  // namespace wayfront::algo
