// The grid of ranks over which the adjacency matrix is partitioned.
//
// Rank k of an R x C grid is in grid row k / C and grid column k % C. The grid owns three
// communicators: the world, the rank's grid row (C ranks, ordered by column) and its grid column (R
// ranks, ordered by row). Move-only. 1 x P and P x 1 are ordinary grids.
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

/// Parses "RxC". Throws InputError if the text is something else.
GridShape parse_grid_shape(std::string_view text);

/// The shape that `auto` chooses for `ranks` ranks, with `ranks_a_host` ranks on each host. If all
/// are on one host, it is P x 1: gathering the whole frontier is cheap there, and a fold is saved.
/// Otherwise it is the most nearly square grid with no more columns than rows.
GridShape default_grid_shape(int ranks, int ranks_a_host);

class ProcessGrid
{
public:
    /// Collective over `world`. Throws InputError if the shape does not have world.size() ranks.
    ProcessGrid(const Communicator& world, GridShape shape);

    [[nodiscard]] GridShape shape() const { return shape_; }
    [[nodiscard]] int rank() const { return world_.rank(); }
    [[nodiscard]] int row_index() const { return world_.rank() / shape_.columns; }
    [[nodiscard]] int column_index() const { return world_.rank() % shape_.columns; }

    [[nodiscard]] const Communicator& world() const { return world_; }
    [[nodiscard]] const Communicator& row() const { return row_; }  // the C ranks of this grid row
    // the R ranks of this grid column
    [[nodiscard]] const Communicator& column() const { return column_; }
    /// Whether the ranks of some grid row are on several hosts. The same on all ranks.
    [[nodiscard]] bool rows_span_hosts() const { return rows_span_hosts_; }

private:
    GridShape shape_;
    Communicator world_;
    Communicator row_;
    Communicator column_;
    bool rows_span_hosts_;
};

}  // namespace wayfront::comm
