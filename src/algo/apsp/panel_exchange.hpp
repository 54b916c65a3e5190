// How the panels of blocked Floyd-Warshall reach other ranks (tile_loop.hpp, tile_engine.hpp).
//
// In the step of a pivot, the loop calls begin(), then exchange_pivot() between close() and the
// functions that improve the pivot's row and column, then start(), and wait() before the panels are
// used. A rank calls exchange_pivot() only if it has tiles of the pivot's row or column; all ranks
// call the other functions. With look-ahead, the calls for the next pivot up to start() come while
// the step of the pivot is under way, and poll() is called until its end.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "algo/apsp/tile_engine.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"

namespace wayfront::algo {

class PanelExchange
{
public:
    PanelExchange() = default;
    PanelExchange(const PanelExchange&) = delete;
    PanelExchange& operator=(const PanelExchange&) = delete;
    virtual ~PanelExchange() = default;

    /// To be called before a panel of the pivot is made. On return, no other rank reads this rank's
    /// panels of the pivot before the last one.
    virtual void begin(std::size_t /*pivot*/) {}
    /// Brings the closed tile from its owner to the ranks of the owner's grid row and grid column.
    virtual void exchange_pivot(std::size_t pivot) = 0;
    /// Starts to broadcast the row of pivot tiles along the grid columns, and the column of pivot tiles along the grid
    /// rows.
    virtual void start(std::size_t pivot) = 0;
    /// Lets messages proceed.
    virtual void poll() = 0;
    /// Returns when work of the engine that is started afterwards finds the panels in their places.
    virtual void wait() = 0;
};

/// Broadcasts the panels that an engine has in host memory. The arguments outlive the object.
class HostPanels final : public PanelExchange
{
public:
    HostPanels(const comm::ProcessGrid& grid, TileEngine& engine) : grid_(grid), engine_(engine) {}

    void exchange_pivot(std::size_t pivot) override;
    void start(std::size_t pivot) override;
    void poll() override;
    void wait() override;

private:
    void start(const comm::Communicator& ranks, const Panel& panel, int root);
    void finish();

    const comm::ProcessGrid& grid_;
    TileEngine& engine_;
    std::vector<comm::Pending> pending_;
    std::optional<std::size_t> pending_pivot_;  // the pivot whose panels the engine does not have yet
};

}  // namespace wayfront::algo
