// The search over a grid of several columns, with its sets of vertices in device memory: the steps
// of the level loop (algo/bfs/level_loop.hpp) on GPUs.
//
// A rank's GPU has the rank's block of the adjacency matrix. The ranks gather the frontier of a
// level along the grid column. The block's rows look for parents in the frontier, or the frontier's
// edges are followed. The found rows are sent to their owners along the grid row, as bitmaps. The
// owners inform the grid row of the rows that are now visited, so that a level finds only vertices
// that no earlier level has found, and every parent that a block writes is in the previous level.
// When the search has ended, an owner therefore takes the parent of any block. The messages are
// those of T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters
// (University of Tsukuba, 2013), but vertices are sent from GPU to GPU, and the host sends only
// counts. This header is free of CUDA's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "comm/process_grid.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/exchange/grid_exchange.hpp"

namespace wayfront::gpu {
struct DeviceBlock;
}  // namespace wayfront::gpu

namespace wayfront::gpu::bfs {

/// The properties of a block of the matrix from which the memory of a search follows.
struct BlockNumbers
{
    std::uint32_t slot_stride = 0;  // a multiple of kTileSlots
    std::uint32_t row_chunks = 1;   // number of chunks of rows: C of the grid
    std::uint32_t col_chunks = 1;   // number of chunks of columns: R of the grid
    std::uint64_t edges = 0;        // number of edges of the block
    std::size_t local_count = 0;    // number of vertices of the rank
};

class GridSearch final : public DeviceSearch
{
public:
    /// Grid, block and exchange outlive the search. Sends no messages. Throws ResourceError.
    GridSearch(const comm::ProcessGrid& grid, const DeviceBlock& block, GridExchange exchange,
               const DeviceSearchOptions& options);
    ~GridSearch() override;

    [[nodiscard]] std::vector<DeviceLevel> level_records() const override;
    [[nodiscard]] std::uint64_t reached() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

    /// The bytes that state_bytes() will return for such a block of the matrix.
    [[nodiscard]] static std::size_t state_bytes_for(const BlockNumbers& block, bool levels);

private:
    void search(Vertex key) override;
    [[nodiscard]] const DeviceResults& results() const override;

    class State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::bfs
