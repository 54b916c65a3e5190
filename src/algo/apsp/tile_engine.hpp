// The interface between blocked Floyd-Warshall over a grid of ranks and an engine that holds a
// rank's tiles.
//
// The loop (tile_loop.hpp) decides which step comes next; an engine computes with the tiles of its
// rank, on the cores or on a GPU. A *panel* is a result of a step that other ranks need: the closed
// pivot tile, the tiles of the pivot's row, or those of its column. Panels are broadcast from host
// memory, unless the engine has a way of its own (panel_exchange.hpp). The loop does not read
// panels, so each engine chooses their format; all engines of a job use the same.
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

class PanelExchange;

class TileEngine
{
public:
    TileEngine() = default;
    TileEngine(const TileEngine&) = delete;
    TileEngine& operator=(const TileEngine&) = delete;
    virtual ~TileEngine() = default;

    [[nodiscard]] virtual const BlockCyclic& tiles() const = 0;

    // There is one step for each pivot, 0 to tiles().tiles - 1: close(), improve_row(),
    // improve_column() and improve_rest(). A rank calls only the functions that concern its tiles.
    // With look-ahead, improve_ahead() and the first three functions of the next pivot are called
    // before improve_rest(). A function may return before its work is done; the functions that
    // return panels in host memory wait until it is.

    /// The engine's own way to exchange panels with the engines of other ranks; null if the panels
    /// below are to be broadcast from host memory. The same on all ranks, and the engine owns it.
    [[nodiscard]] virtual PanelExchange* direct_panels() { return nullptr; }

    /// Closes the pivot tile: its distances become those of shortest paths through its vertices.
    /// Pre: the rank has the pivot tile.
    virtual void close(std::size_t pivot) = 0;
    /// The closed tile, which close() writes and the next two functions read.
    [[nodiscard]] virtual Panel pivot_panel() = 0;

    /// Improves the rank's tiles in the pivot's row, except for the pivot. Pre: the rank has such
    /// tiles.
    virtual void improve_row(std::size_t pivot) = 0;
    /// Improves the rank's tiles in the pivot's column, except for the pivot. Pre: the rank has
    /// such tiles.
    virtual void improve_column(std::size_t pivot) = 0;
    /// The results of improve_row() in the rank's tile columns, and those of improve_column() in
    /// its tile rows. They are computed by a rank of the same grid column, and of the same grid
    /// row, respectively. The panels of a pivot remain valid until the step of the pivot after the
    /// next one.
    [[nodiscard]] virtual Panel row_panel(std::size_t pivot) = 0;
    [[nodiscard]] virtual Panel column_panel(std::size_t pivot) = 0;
    /// Called when the memory of row_panel() and column_panel() has the panels of all ranks: an
    /// engine that needs them elsewhere starts to copy them.
    virtual void take_panels(std::size_t /*pivot*/) {}

    /// Improves, by the pivot's panels, the rank's tiles in the row or the column of the next
    /// pivot, so that the next step can begin.
    virtual void improve_ahead(std::size_t pivot, std::size_t next) = 0;
    /// Starts the work of improve_rest(), if the engine can do it while panels of the next pivot
    /// are computed. Called before improve_rest() if there is a next pivot.
    virtual void start_rest(std::size_t /*pivot*/, std::size_t /*next*/) {}
    /// Improves, by the pivot's panels, the rank's tiles outside the row and the column of the
    /// pivot and, if there is a `next`, outside those of `next`. Returns when they have been
    /// improved. The calling thread calls poll() from time to time, so that messages proceed.
    virtual void improve_rest(std::size_t pivot, std::optional<std::size_t> next,
                              const std::function<void()>& poll) = 0;

    /// Row `row` of the whole matrix, as far as it is in the rank's tiles: the elements of its tile
    /// columns side by side, in host memory, in the form that the loop sends to the rank that
    /// consumes the row. Valid until the next call.
    [[nodiscard]] virtual Panel row(std::size_t row) = 0;

    // The form of a tile in a checkpoint: its distances row by row, and its parents if they are
    // wanted. Several threads may copy different tiles at once, between two steps.

    [[nodiscard]] virtual TileBytes tile_bytes() const = 0;
    /// Copies a tile of the rank, (row, column) in the whole matrix, to memory of tile_bytes().
    virtual void save_tile(std::size_t row, std::size_t column, const Panel& to) = 0;
    /// Replaces a tile of the rank by the copy that save_tile() made.
    virtual void restore_tile(std::size_t row, std::size_t column, const Panel& from) = 0;
};

}  // namespace wayfront::algo
