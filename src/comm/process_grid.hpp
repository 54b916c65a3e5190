// The grid of ranks over which the adjacency matrix is partitioned.
//
// Rank k of an R x C grid stands in grid row k / C and grid column k % C. The grid owns three communicators: the world, the rank's grid row (C ranks,
// ordered by column) and its grid column (R ranks, ordered by row). Move-only. 1 x P and P x 1 are ordinary grids.
#pragma once

#include <string_view>

#include "comm/communicator.hpp"

namespace wayfront::comm {

struct GridShape
{
    int rows = 1;
    int columns = 1;

    [[nodiscard]] int size() const { return rows * columns; }
    friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// "RxC"; throws InputError naming what was expected.
GridShape parse_grid_shape(std::string_view text);

/// The shape that `auto` means for `ranks` ranks, of which `ranks_a_host` share a host: P x 1 while all are on one host, where gathering the whole
/// frontier is cheap and a fold is saved; else the most nearly square grid with no more columns than rows.
GridShape default_grid_shape(int ranks, int ranks_a_host);

class ProcessGrid
{
public:
    /// Collective over `world`. Throws InputError if the shape does not hold world.size() ranks.
    ProcessGrid(const Communicator& world, GridShape shape);

    [[nodiscard]] GridShape shape() const { return shape_; }
    [[nodiscard]] int rank() const { return world_.rank(); }
    [[nodiscard]] int row_index() const { return world_.rank() / shape_.columns; }
    [[nodiscard]] int column_index() const { return world_.rank() % shape_.columns; }

    [[nodiscard]] const Communicator& world() const { return world_; }
    [[nodiscard]] const Communicator& row() const { return row_; }        // the C ranks of this grid row
    [[nodiscard]] const Communicator& column() const { return column_; }  // the R ranks of this grid column

private:
    GridShape shape_;
    Communicator world_;
    Communicator row_;
    Communicator column_;
};

}  // namespace wayfront::comm
