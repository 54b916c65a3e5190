// The search over a grid of several columns, with its sets of vertices in device memory: the steps of
// the level loop (algo/bfs/level_loop.hpp) on GPUs.
//
// A rank's GPU has the rank's block of the adjacency matrix. The frontier of a level is gathered along
// the grid column; the block's rows find parents in it, or its edges are followed; the rows that were
// found go to their owners along the grid row, as bitmaps. The owners tell the grid row which rows are
// visited now, so that a level finds only vertices that no level before has found: every parent that
// a block writes is one of the level before. The owners therefore take any of the blocks' parents,
// once, when the search has ended. The messages are those of T. Hiragushi and D. Takahashi's paper on
// breadth-first search on GPU clusters (University of Tsukuba, 2013), but vertices go from GPU to GPU,
// and the host sends only counts. This header is free of CUDA's headers.
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

/// The numbers of a block on which the memory of a search depends.
struct BlockNumbers
{
    std::uint32_t slot_stride = 0;  // a multiple of kTileSlots
    std::uint32_t row_chunks = 1;   // C
    std::uint32_t col_chunks = 1;   // R
    std::uint64_t edges = 0;        // of the block
    std::size_t local_count = 0;    // vertices of the rank
};

class GridSearch final : public DeviceSearch
{
public:
    /// Grid, block and exchange outlive the search. Sends no messages. Throws ResourceError.
    GridSearch(const comm::ProcessGrid& grid, const DeviceBlock& block, GridExchange exchange,
               const DeviceSearchOptions& options);
    ~GridSearch() override;

    [[nodiscard]] std::vector<DeviceLevel> levels() const override;
    [[nodiscard]] std::uint64_t reached() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

    /// The bytes that state_bytes() will return for such a block.
    [[nodiscard]] static std::size_t state_bytes_for(const BlockNumbers& block, bool levels);

private:
    void search(Vertex key) override;
    [[nodiscard]] const DeviceResults& results() const override;

    class State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::bfs
