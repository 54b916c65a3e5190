// Floyd-Warshall on the GPUs of ranks that share the tiles of the matrix (device_tiles.hpp), also
// for matrices larger than GPU memory. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/gathered_rows.hpp"
#include "algo/apsp/rows.hpp"
#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/apsp/matrix/panel_way.hpp"
#include "gpu/exchange/nccl.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

struct TileMethodOptions
{
    algo::DistanceType type = algo::DistanceType::int32;
    MinPlusSums sums = MinPlusSums::unsigned_wholes;  // those of sums_for()
    bool out_of_core = false;                         // the matrix is in host memory
    // The vertices on a side of a tile; 0: 512, or 2048 out of core. Out of core, 4096 is faster on
    // one rank.
    std::size_t tile = 0;
    // The bytes of each of four buffers out of core; 0: 256 MiB.
    std::size_t staging_bytes = 0;
    PanelWay way = PanelWay::hosts;   // between ranks
    std::shared_ptr<NcclRanks> nccl;  // of that way
};

/// The bytes that a rank allocates.
struct TileMethodBytes
{
    double device = 0;
    double host = 0;
    double host_panels = 0;  // of `host`, for PanelWay::hosts alone
    std::size_t tile = 0;    // the vertices on a side of a tile, to which the bytes apply
};
/// `rows_of_rank`: the rows that a rank wants. If the grid has one column, the rank has them in its
/// own tiles: rank r wants rows of tile rows r, r + R, r + 2 R, ... of an R x 1 grid.
[[nodiscard]] TileMethodBytes tile_method_bytes(std::size_t vertices, const TileMethodOptions& options,
                                                comm::GridShape shape, double rows_of_rank);

/// Each rank has the whole graph, which outlives the method. run() is collective, and rows()
/// returns the rows that a rank wants. Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::MatrixMethod> make_tile_method(const DistributedGraph& graph,
                                                                   const TileMethodOptions& options,
                                                                   algo::MatrixRanks ranks);

}  // namespace wayfront::gpu::apsp
