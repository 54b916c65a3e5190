// The panels of a rank's tiles and their memory (device_panels.hpp). Free of CUDA's headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "algo/apsp/block_cyclic.hpp"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

enum class PanelPart {
    pivot,  // the closed tile, row-major
    row,    // the rank's tiles in the pivot's row: tile rows x words of the rank's columns
    column  // the rank's tiles in the pivot's column, transposed and spread: tile rows x spread distances of the rank's
            // rows
};
inline constexpr std::size_t kPanelParts = 3;

/// The number of 32-bit words of each of a rank's panels, by PanelPart.
[[nodiscard]] inline std::array<std::size_t, kPanelParts> words_of_panels(const algo::BlockCyclic& tiles,
                                                                          MinPlusSums sums)
{
    const std::size_t words_of_tile = words_of(sums, tiles.tile);
    return {tiles.tile * words_of_tile, tiles.tile * tiles.local_columns() * words_of_tile,
            tiles.tile * tiles.local_rows() * tiles.tile * words_of_spread(sums)};
}

/// The tiles of the first rank, which has the largest number of tiles.
[[nodiscard]] inline algo::BlockCyclic as_first_rank(algo::BlockCyclic tiles)
{
    tiles.grid_row = tiles.grid_column = 0;
    return tiles;
}

/// The allocation of panels, in the size for the rank that has the most tiles.
struct PanelPlan : MemoryPlan
{
    PanelPlan(const algo::BlockCyclic& tiles, MinPlusSums sums) : MemoryPlan(slab(kSharedPageBytes))
    {
        constexpr std::array<const char*, kPanelParts> names{"pivot tile", "row of the pivot", "column of the pivot"};
        const auto words = words_of_panels(as_first_rank(tiles), sums);
        for (std::size_t set = 0; set < sets(tiles); ++set)
            for (std::size_t part = 0; part < kPanelParts; ++part)
                panels[set][part] = array<std::uint32_t>(names[part], words[part]);
    }

    [[nodiscard]] static std::size_t sets(const algo::BlockCyclic& tiles) { return tiles.shape.size() > 1 ? 2 : 1; }

    using Set = std::array<PlannedArray<std::uint32_t>, kPanelParts>;  // indexed by PanelPart
    std::array<Set, 2> panels;
};

/// The bytes of the copies of a rank's panels in host memory, if panels pass through host memory.
[[nodiscard]] inline double host_panel_bytes(const algo::BlockCyclic& tiles, MinPlusSums sums)
{
    if (tiles.shape.size() == 1) return 0;
    const auto [pivot, row, column] = words_of_panels(as_first_rank(tiles), sums);
    std::size_t words = pivot;
    if (tiles.shape.rows > 1) words += PanelPlan::sets(tiles) * row;
    if (tiles.shape.columns > 1) words += PanelPlan::sets(tiles) * column;
    return static_cast<double>(words * sizeof(std::uint32_t));
}

}  // namespace wayfront::gpu::apsp
