#include "app/search/gpu_apsp.hpp"

#include <utility>

#include "gpu/apsp/bulk_engine.hpp"
#include "gpu/apsp/floyd_warshall.hpp"
#include "gpu/apsp/matrix_arcs.hpp"

namespace wayfront::app {

namespace {

class CudaApsp final : public GpuApsp
{
public:
    std::string obstacle(const DistributedGraph& graph, const gpu::apsp::RowEngineOptions& options) const override
    {
        return gpu::apsp::row_engine_obstacle(graph, options);
    }
    std::size_t bytes(const DistributedGraph& graph, const gpu::apsp::RowEngineOptions& options) const override
    {
        return gpu::apsp::row_engine_bytes(graph, options);
    }
    std::unique_ptr<algo::RowProducer> make(const DistributedGraph& graph, const gpu::apsp::RowEngineOptions& options) const override
    {
        return gpu::apsp::make_row_engine(graph, options);
    }
    gpu::apsp::MinPlusSums sums(const DistributedGraph& graph, const gpu::apsp::RowEngineOptions& options) const override
    {
        return gpu::apsp::sums_for(options.type, gpu::apsp::has_negative_weight(graph), options.most_distance);
    }
    gpu::apsp::TileMethodBytes tile_bytes(std::size_t vertices, const gpu::apsp::TileMethodOptions& options, comm::GridShape shape,
                                          double rows_of_rank) const override
    {
        return gpu::apsp::tile_method_bytes(vertices, options, shape, rows_of_rank);
    }
    std::unique_ptr<algo::MatrixMethod> make_tiles(const DistributedGraph& graph, const gpu::apsp::TileMethodOptions& options,
                                                   algo::MatrixRanks ranks) const override
    {
        return gpu::apsp::make_tile_method(graph, options, std::move(ranks));
    }
    std::unique_ptr<algo::BulkEngine> make_bulk(std::size_t device_bytes) const override { return gpu::apsp::make_bulk_engine(device_bytes); }
};

}  // namespace

const GpuApsp& gpu_apsp()
{
    static const CudaApsp cuda;
    return cuda;
}

}  // namespace wayfront::app
