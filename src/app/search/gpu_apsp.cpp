#include "app/search/gpu_apsp.hpp"

namespace wayfront::app {

namespace {

class CudaApsp final : public GpuApsp
{
public:
    std::string obstacle(const DistributedGraph& graph, const gpu::RowEngineOptions& options) const override
    {
        return gpu::row_engine_obstacle(graph, options);
    }
    std::size_t bytes(const DistributedGraph& graph, const gpu::RowEngineOptions& options) const override
    {
        return gpu::row_engine_bytes(graph, options);
    }
    std::unique_ptr<algo::RowProducer> make(const DistributedGraph& graph, const gpu::RowEngineOptions& options) const override
    {
        return gpu::make_row_engine(graph, options);
    }
};

}  // namespace

const GpuApsp& gpu_apsp()
{
    static const CudaApsp cuda;
    return cuda;
}

}  // namespace wayfront::app
