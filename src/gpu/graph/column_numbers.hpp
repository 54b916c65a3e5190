// The numbering of columns: the slots of all ranks of a P x 1 grid, as kernels number them.
//
// The rows of rank r are its own slots, and the columns are the slots of all ranks. (In a grid of
// several columns, the "ranks" of a block's columns are those of its grid column; its rows are
// numbered in the same way over the ranks of its grid row: device_block.hpp.) The number of a
// column interleaves the ranks tile by tile:
//
//     column(r, slot) = ((slot / kTileSlots) * P + r) * kTileSlots + slot % kTileSlots
//
// So the vertices of the largest degrees of all ranks come first, and a prefix of an array by column can be kept
// in shared memory. A warp that stores values of neighbouring slots into a peer's array by column
// fills whole cache lines. With one rank, a column is a slot.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/graph/device_graph_plan.hpp"

namespace wayfront::gpu {

struct ColumnNumbers
{
    std::uint32_t ranks = 1;  // P
    std::uint32_t rank = 0;
    // 2^32 / P, rounded up, to divide tiles by P; 0 if it is not used, see set_ranks().
    std::uint32_t ranks_reciprocal = 0;
    // Number of slots of each rank; a multiple of kTileSlots if there are several ranks.
    std::uint32_t slot_stride = 0;

    [[nodiscard]] WAYFRONT_HD std::uint32_t cols() const { return ranks * slot_stride; }
    [[nodiscard]] WAYFRONT_HD std::uint32_t column(std::uint32_t owner, std::uint32_t slot) const
    {
        return ((slot / kTileSlots) * ranks + owner) * kTileSlots + slot % kTileSlots;
    }
    [[nodiscard]] WAYFRONT_HD std::uint32_t own_column(std::uint32_t slot) const
    {
        return ranks == 1 ? slot : column(rank, slot);
    }
    [[nodiscard]] WAYFRONT_HD std::uint32_t owner_of(std::uint32_t column) const
    {
        const std::uint32_t tile = column / kTileSlots;
        return tile - own_tile(tile) * ranks;
    }
    [[nodiscard]] WAYFRONT_HD std::uint32_t slot_of(std::uint32_t column) const
    {
        return own_tile(column / kTileSlots) * kTileSlots + column % kTileSlots;
    }

    void set_ranks(std::uint32_t count, std::uint32_t own)
    {
        // Tiles are below 2^22, so the error of the product is below 2^-10, which is small enough
        // for this number of ranks.
        constexpr std::uint32_t most = 1023;
        ranks = count;
        rank = own;
        ranks_reciprocal =
            count > 1 && count <= most ? static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + count - 1) / count) : 0;
    }

private:
    /// tile / ranks
    [[nodiscard]] WAYFRONT_HD std::uint32_t own_tile(std::uint32_t tile) const
    {
        if (ranks_reciprocal == 0) return tile / ranks;
        return static_cast<std::uint32_t>((std::uint64_t{tile} * ranks_reciprocal) >> 32);
    }
};

/// The numbering of columns on the host: rank * stride + slot.
struct HostColumns
{
    std::uint32_t stride;
    std::uint32_t ranks;

    [[nodiscard]] WAYFRONT_HD std::uint32_t cols() const { return stride * ranks; }
    /// The host's number of a column; cols() if the column has no slot on the host, because the
    /// device's stride is longer.
    [[nodiscard]] WAYFRONT_HD std::uint32_t on_host(const ColumnNumbers& columns, std::uint32_t column) const
    {
        const std::uint32_t owner = columns.ranks == 1 ? 0 : columns.owner_of(column);
        const std::uint32_t slot = columns.ranks == 1 ? column : columns.slot_of(column);
        return slot < stride ? owner * stride + slot : cols();
    }

    [[nodiscard]] WAYFRONT_HD std::uint32_t on_device(const ColumnNumbers& columns, std::uint32_t column) const
    {
        return columns.ranks == 1 ? column : columns.column(column / stride, column % stride);
    }
};

}  // namespace wayfront::gpu
