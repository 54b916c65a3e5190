// Sends rows of a matrix, whose tiles are distributed over ranks, to the ranks that request them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "algo/apsp/tile_engine.hpp"
#include "base/host_buffer.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"

namespace wayfront::algo {

/// The ranks that share the tiles of a matrix.
struct MatrixRanks
{
    // Shared, since all ranks must free the grid together: if an engine cannot be made on one rank, another
    // owner keeps the grid until all ranks know of the failure.
    std::shared_ptr<const comm::ProcessGrid> grid;
    // For each rank, the vertices whose rows it may request; the same on all ranks.
    std::vector<std::vector<Vertex>> wanted;

    [[nodiscard]] static MatrixRanks alone()
    {
        return {std::make_shared<comm::ProcessGrid>(comm::Communicator::alone(), comm::GridShape{1, 1}), {}};
    }
    [[nodiscard]] bool are_alone() const { return grid->world().size() == 1; }
};

class GatheredRows
{
public:
    /// The bytes of a distance and of a parent; 0 if there are no parents. Ranks and engine outlive
    /// the object. Allocates memory for the rows that this rank requests, unless are_local().
    GatheredRows(const MatrixRanks& ranks, TileEngine& engine, std::size_t vertices, std::size_t element_bytes,
                 std::size_t parent_bytes);

    /// Whether each rank has the rows that it requests as whole rows of its own tiles. Then nothing
    /// is gathered, and rows are read from the engine.
    [[nodiscard]] bool are_local() const { return local_; }

    /// Sends the requested rows to the ranks. Pre: the rows are final. Collective over the grid.
    void gather();

    /// The row of a vertex in the type of the tiles. Pre: this rank has requested the row. Valid until the next
    /// call.
    [[nodiscard]] Panel row(std::size_t vertex);

private:
    const MatrixRanks& ranks_;
    TileEngine& engine_;
    bool local_;
    std::size_t element_bytes_, parent_bytes_;
    HostBuffer<std::byte> rows_, parents_;
    std::vector<std::size_t> place_of_vertex_;
};

}  // namespace wayfront::algo
