// The engines of all pairs on a GPU, as the program uses them (gpu/apsp/row_engines.hpp,
// gpu/apsp/tile_method.hpp). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "algo/apsp/bulk.hpp"
#include "algo/apsp/rows.hpp"
#include "gpu/apsp/row_engines.hpp"
#include "gpu/apsp/tile_method.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::app {

class GpuApsp
{
public:
    virtual ~GpuApsp() = default;

    /// gpu::apsp::row_engine_obstacle().
    [[nodiscard]] virtual std::string obstacle(const DistributedGraph& graph, const gpu::apsp::RowEngineOptions& options) const = 0;
    /// gpu::apsp::row_engine_bytes().
    [[nodiscard]] virtual std::size_t bytes(const DistributedGraph& graph, const gpu::apsp::RowEngineOptions& options) const = 0;
    /// gpu::apsp::make_row_engine().
    [[nodiscard]] virtual std::unique_ptr<algo::RowProducer> make(const DistributedGraph& graph,
                                                                  const gpu::apsp::RowEngineOptions& options) const = 0;

    /// The sums of gpu::apsp::sums_for() for a graph.
    [[nodiscard]] virtual gpu::apsp::MinPlusSums sums(const DistributedGraph& graph, const gpu::apsp::RowEngineOptions& options) const = 0;
    /// gpu::apsp::tile_method_bytes().
    [[nodiscard]] virtual gpu::apsp::TileMethodBytes tile_bytes(std::size_t vertices, const gpu::apsp::TileMethodOptions& options,
                                                                comm::GridShape shape, double rows_of_rank) const = 0;
    /// gpu::apsp::make_tile_method().
    [[nodiscard]] virtual std::unique_ptr<algo::MatrixMethod> make_tiles(const DistributedGraph& graph, const gpu::apsp::TileMethodOptions& options,
                                                                         algo::MatrixRanks ranks) const = 0;
    /// gpu::apsp::make_bulk_engine().
    [[nodiscard]] virtual std::unique_ptr<algo::BulkEngine> make_bulk(std::size_t device_bytes) const = 0;
};

/// Exists in a build with CUDA only.
[[nodiscard]] const GpuApsp& gpu_apsp();

}  // namespace wayfront::app
