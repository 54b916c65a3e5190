// The launches of a search over a grid of several columns.
//
// Sets of vertices are bitmaps. Between ranks they travel in pieces of slot_stride bits, one for each
// rank of the grid row or the grid column, in the order of slots; in a block they are numbered by row
// or by column (gpu/graph/device_block.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/grid/view.hpp"
#include "gpu/bfs/search_plan.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

struct GridLaunch
{
    int blocks = 0;
    std::size_t shared_bytes = 0;  // of each block
};

/// The size of the launches that take one. Sets the view's shared memory (set_shared_memory()).
/// Throws ResourceError.
[[nodiscard]] GridLaunch grid_launch(GridView& view, std::uint32_t most_hubs);

/// Sets the bit of own vertex `local` in `piece`, unless it has no edges.
void launch_key(const GridView& view, std::uint32_t local, std::uint32_t* piece, const Stream& stream);

/// Makes the work items of the columns of the frontier.
void launch_column_items(const GridView& view, ItemSizes sizes, GridLaunch size, const Stream& stream);
/// Follows all work items: visits the rows that are their heads.
void launch_follow_columns(const GridView& view, ItemSizes sizes, GridLaunch size, const Stream& stream);
/// Lets each row that is not visited look for a parent in the frontier.
void launch_grid_bottom_up(const GridView& view, BottomUpWay way, GridLaunch size, const Stream& stream);

/// Writes the rows that the level visited to `pieces`, one for each rank of the grid row.
void launch_pack_found(const GridView& view, std::uint32_t* pieces, const Stream& stream);
/// Makes the frontier at `level` of the own slots in any of `received`, the pieces of all ranks of
/// the grid row: stores them in view.own_frontier, in `row_piece` and in `column_piece`, and counts
/// them and their out-edges.
void launch_commit(const GridView& view, const std::uint32_t* received, std::int32_t level, std::uint32_t* row_piece,
                   std::uint32_t* column_piece, const Stream& stream);
/// Takes over the frontier: its rows, from the pieces of the grid row, are visited; its columns, from
/// the pieces of the grid column, become the block's frontier.
void launch_take_frontier(const GridView& view, const std::uint32_t* row_pieces, const std::uint32_t* column_pieces,
                          const Stream& stream);

/// Writes the parents that this block found to `pieces` of slot_stride numbers, ~0 where it found
/// none.
void launch_pack_parents(const GridView& view, std::uint32_t* pieces, const Stream& stream);
/// Chooses the parent of each own slot: that of the first rank of the grid row that found one.
void launch_choose_parents(const GridView& view, const std::uint32_t* received, const Stream& stream);

}  // namespace wayfront::gpu::bfs
