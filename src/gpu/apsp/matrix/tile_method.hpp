// Floyd-Warshall on the GPUs of ranks that share the tiles of the matrix (device_tiles.hpp), also
// for matrices larger than GPU memory. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/gathered_rows.hpp"
#include "algo/apsp/rows.hpp"
#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/apsp/matrix/panel_transport.hpp"
#include "gpu/exchange/nccl.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

struct TileMethodOptions
{
    algo::DistanceType type = algo::DistanceType::int32;
    MinPlusSums sums = MinPlusSums::unsigned_wholes;  // result of sums_for()
    bool out_of_core = false;                         // whether the matrix is in host memory
    // Number of vertices of a tile's side; 0: 512, or 2048 out of core. On one rank out of core,
    // 4096 is faster.
    std::size_t tile = 0;
    // Size of each of the four staging buffers out of core, in bytes; 0: 256 MiB.
    std::size_t staging_bytes = 0;
    PanelTransport transport = PanelTransport::hosts;  // exchange of panels between ranks
    std::shared_ptr<NcclRanks> nccl;                   // connection for PanelTransport::nccl
};

/// The bytes that a rank allocates.
struct TileMethodBytes
{
    double device = 0;
    double host = 0;
    double host_panels = 0;  // part of `host` that only PanelTransport::hosts needs
    std::size_t tile = 0;    // number of vertices in a tile's side, for which the bytes are valid
};
/// `rows_of_rank`: number of rows that a rank wants. If the grid has one column, the rank has these
/// rows in its own tiles: rank r wants the rows of tile rows r, r + R, r + 2 R, ... of an R x 1
/// grid.
[[nodiscard]] TileMethodBytes tile_method_bytes(std::size_t vertices, const TileMethodOptions& options,
                                                comm::GridShape shape, double rows_of_rank);

/// Makes the method. Each rank has the whole graph, which outlives the method. run() is collective,
/// and rows() returns the rows that a rank wants. Throws ResourceError.
[[nodiscard]] std::unique_ptr<algo::MatrixMethod> make_tile_method(const DistributedGraph& graph,
                                                                   const TileMethodOptions& options,
                                                                   algo::MatrixRanks ranks);

}  // namespace wayfront::gpu::apsp
