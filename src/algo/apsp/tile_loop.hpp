// Blocked Floyd-Warshall over a grid of ranks, for any engine.
//
// The tiles of the matrix are dealt block-cyclically (block_cyclic.hpp). In each step
//   1. the owner of the pivot tile closes it, and sends it along its grid row and grid column
//   2. these improve the tiles of the pivot's row and column, and send them down their grid columns
//      and along their grid rows
//   3. each rank improves all its other tiles by products of the two panels
// Several ranks look ahead: in part 3 the tiles of the next pivot's row and column come first, then
// parts 1 and 2 of the next step, whose messages (panel_exchange.hpp) proceed behind the rest of
// part 3. They do not look ahead in a step after which the tiles are saved. In all, a rank receives
// at most n * n * (1 / R + 1 / C) elements: the pivots' rows if R > 1, their columns if C > 1.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "algo/apsp/matrix_checkpoints.hpp"
#include "algo/apsp/tile_engine.hpp"
#include "base/progress_listener.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"

namespace wayfront::algo {

/// Computes the matrix, from the checkpoint on if there is one. The listener and the checkpoints
/// may be null. The listener is informed of each step. Collective over the grid.
void run_floyd_warshall(const comm::ProcessGrid& grid, TileEngine& engine, ProgressListener* listener,
                        MatrixCheckpoints* checkpoints = nullptr);

/// Whole rows, in the order of the request; each has tiles().side() elements.
struct WholeRows
{
    std::span<std::byte> distances;
    std::span<std::byte> parents;  // empty if they are not wanted
    std::size_t element_bytes = 0;
    std::size_t parent_bytes = 0;
};

/// Joins the rows of the vertices wanted[k] and sends them to rank k, which provides the memory. To
/// be called after run_floyd_warshall(). Collective over the grid.
void gather_rows(const comm::ProcessGrid& grid, TileEngine& engine, std::span<const std::vector<Vertex>> wanted,
                 const WholeRows& rows);

}  // namespace wayfront::algo
