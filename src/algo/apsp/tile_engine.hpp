// What blocked Floyd-Warshall over a grid of ranks needs of whoever holds a rank's tiles.
//
// The loop (tile_loop.hpp) decides which step comes next and broadcasts panels between ranks; an
// engine computes with the tiles of its rank, on the cores or on a GPU. A *panel* is what a step
// leaves for others: the closed pivot tile, the tiles of the pivot's row, or those of its column.
// The loop does not look into panels, so their form is the engine's own; all engines of a job have
// the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "algo/apsp/block_cyclic.hpp"

namespace wayfront::algo {

/// Bytes in host memory, which the engine owns; always in the same place. Parents are empty if they
/// are not wanted.
struct Panel
{
    std::span<std::byte> distances;
    std::span<std::byte> parents;
};

class TileEngine
{
public:
    TileEngine() = default;
    TileEngine(const TileEngine&) = delete;
    TileEngine& operator=(const TileEngine&) = delete;
    virtual ~TileEngine() = default;

    [[nodiscard]] virtual const BlockCyclic& tiles() const = 0;

    // One step for each pivot, 0 to tiles().tiles - 1, in the order of these functions. Those ranks
    // call a function whose tiles it concerns.

    /// The rank has the pivot tile: makes the shortest paths through its vertices known in it.
    virtual void close(std::size_t pivot) = 0;
    /// The closed tile: written by close(), read by the next two functions.
    [[nodiscard]] virtual Panel pivot_panel() = 0;

    /// The rank has tiles in the pivot's row: improves all of them but the pivot.
    virtual void improve_row(std::size_t pivot) = 0;
    /// The rank has tiles in the pivot's column: improves all of them but the pivot.
    virtual void improve_column(std::size_t pivot) = 0;
    /// Of the rank's tile columns, what improve_row() made of them on some rank of its grid column;
    /// of its tile rows, what improve_column() made of them on some rank of its grid row. Read by
    /// improve_rest().
    [[nodiscard]] virtual Panel row_panel() = 0;
    [[nodiscard]] virtual Panel column_panel() = 0;

    /// Improves all other tiles of the rank.
    virtual void improve_rest(std::size_t pivot) = 0;

    /// A row of the rank's tiles, whose row in the whole matrix is `row`: the elements of its tile
    /// columns side by side, in host memory, as the loop sends them to whoever wants the row. Valid
    /// until the next call.
    [[nodiscard]] virtual Panel row(std::size_t row) = 0;
};

}  // namespace wayfront::algo
