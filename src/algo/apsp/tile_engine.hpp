// What blocked Floyd-Warshall over a grid of ranks needs of whoever holds a rank's tiles.
//
// The loop (tile_loop.hpp) decides which step comes next and broadcasts panels between ranks; an
// engine computes with the tiles of its rank, on the cores or on a GPU. A *panel* is what a step
// leaves for others: the closed pivot tile, the tiles of the pivot's row, or those of its column.
// The loop does not look into panels, so their form is the engine's own; all engines of a job have
// the same.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
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

struct TileBytes
{
    std::size_t distances = 0;
    std::size_t parents = 0;
};

class TileEngine
{
public:
    TileEngine() = default;
    TileEngine(const TileEngine&) = delete;
    TileEngine& operator=(const TileEngine&) = delete;
    virtual ~TileEngine() = default;

    [[nodiscard]] virtual const BlockCyclic& tiles() const = 0;

    // One step for each pivot, 0 to tiles().tiles - 1: close(), improve_row() and improve_column(),
    // improve_rest(). A function is called by the ranks whose tiles it concerns. With look-ahead, the
    // first three of the next pivot come before improve_rest(), after improve_ahead(). A function may
    // return before its work is done; then whichever gives out a panel waits for it.

    /// The rank has the pivot tile: makes the shortest paths through its vertices known in it.
    virtual void close(std::size_t pivot) = 0;
    /// The closed tile: written by close(), read by the next two functions.
    [[nodiscard]] virtual Panel pivot_panel() = 0;

    /// The rank has tiles in the pivot's row: improves all of them but the pivot.
    virtual void improve_row(std::size_t pivot) = 0;
    /// The rank has tiles in the pivot's column: improves all of them but the pivot.
    virtual void improve_column(std::size_t pivot) = 0;
    /// Of the rank's tile columns, what improve_row() made of them on some rank of its grid column;
    /// of its tile rows, what improve_column() made of them on some rank of its grid row. The panels
    /// of a pivot remain until those of the pivot after the next one.
    [[nodiscard]] virtual Panel row_panel(std::size_t pivot) = 0;
    [[nodiscard]] virtual Panel column_panel(std::size_t pivot) = 0;

    /// Improves, by the pivot's panels, those of the rank's tiles that are in the row or the column of
    /// the next pivot, so that its step can begin.
    virtual void improve_ahead(std::size_t pivot, std::size_t next) = 0;
    /// Starts improve_rest(), if the engine can do that while panels of the next pivot are made. Comes
    /// before improve_rest() if there is a next pivot.
    virtual void start_rest(std::size_t /*pivot*/, std::size_t /*next*/) {}
    /// Improves, by the pivot's panels, all tiles of the rank that are in no row or column of the
    /// pivot, nor of `next` if there is one; they have been improved when it returns. The calling thread calls poll() from time to time, so
    /// that messages proceed.
    virtual void improve_rest(std::size_t pivot, std::optional<std::size_t> next, const std::function<void()>& poll) = 0;

    /// A row of the rank's tiles, whose row in the whole matrix is `row`: the elements of its tile
    /// columns side by side, in host memory, as the loop sends them to whoever wants the row. Valid
    /// until the next call.
    [[nodiscard]] virtual Panel row(std::size_t row) = 0;

    // A tile as a checkpoint has it: its distances row by row, and its parents if they are wanted.
    // Several threads may copy different tiles at once, between two steps.

    [[nodiscard]] virtual TileBytes tile_bytes() const = 0;
    /// Copies a tile of the rank, (row, column) in the whole matrix, to memory of tile_bytes().
    virtual void save_tile(std::size_t row, std::size_t column, const Panel& to) = 0;
    /// Replaces a tile of the rank by what save_tile() copied.
    virtual void restore_tile(std::size_t row, std::size_t column, const Panel& from) = 0;
};

}  // namespace wayfront::algo
