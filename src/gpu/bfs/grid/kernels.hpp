// The launches of a search over a grid of several columns.
//
// Sets of vertices are bitmaps. Ranks send them in pieces of slot_stride bits, one for each rank of
// the grid row or the grid column, in the order of slots. Within a block of the matrix, bitmaps are
// in the order of rows or columns (gpu/graph/device_block.hpp).
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
    std::size_t shared_bytes = 0;  // shared memory of each block
};

/// A rank's piece of a frontier in the messages of the grid row and of the grid column.
struct FrontierPieces
{
    std::uint32_t* row = nullptr;
    std::uint32_t* column = nullptr;
};

/// The size of the launches that have a parameter of this type. Sets the view's shared memory
/// (set_shared_memory()). Throws ResourceError.
[[nodiscard]] GridLaunch grid_launch(GridView& view, std::uint32_t most_hubs);

/// Sets the bit of the own vertex with local number `local` in `piece`, unless the vertex has no
/// edges.
void launch_key(const GridView& view, std::uint32_t local, std::uint32_t* piece, const Stream& stream);

/// Makes the work items of the frontier's columns.
void launch_column_items(const GridView& view, ItemSizes sizes, GridLaunch size, const Stream& stream);
/// Follows all work items: visits the rows at the ends of their edges.
void launch_follow_columns(const GridView& view, ItemSizes sizes, GridLaunch size, const Stream& stream);
/// Each unvisited row looks for a parent in the frontier.
void launch_grid_bottom_up(const GridView& view, BottomUpVariant variant, GridLaunch size, const Stream& stream);

/// Writes the rows that the level visited to `pieces`, one for each rank of the grid row.
void launch_pack_found(const GridView& view, std::uint32_t* pieces, const Stream& stream);
/// Makes the frontier at `level` from the own slots in any piece of `received`, which has a piece
/// from each rank of the grid row. Stores it in view.own_frontier and in `pieces`, and counts its
/// vertices and their out-edges.
void launch_commit(const GridView& view, const std::uint32_t* received, std::int32_t level,
                   const FrontierPieces& pieces, const Stream& stream);
/// Stores the frontier in this block of the matrix: marks the rows in the pieces of the grid row as
/// visited, and makes the columns in the pieces of the grid column the block's frontier.
void launch_store_frontier(const GridView& view, const std::uint32_t* row_pieces, const std::uint32_t* column_pieces,
                           const Stream& stream);

/// Writes the parents that this block found to `pieces` of slot_stride numbers; ~0 for a row
/// without a parent.
void launch_pack_parents(const GridView& view, std::uint32_t* pieces, const Stream& stream);
/// Chooses the parent of each own slot from the first rank of the grid row that found one.
void launch_choose_parents(const GridView& view, const std::uint32_t* received, const Stream& stream);

}  // namespace wayfront::gpu::bfs
