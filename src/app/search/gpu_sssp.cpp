#include "app/search/gpu_sssp.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/bytes_in_words.hpp"
#include "gpu/sssp/resident_sssp.hpp"

namespace wayfront::app {

namespace {

class CudaSssp final : public GpuSssp
{
public:
    Obstacle memory_obstacle(const EnginePlan& plan, Vertex vertices, EdgeCount arcs) const override
    {
        const std::size_t needed = gpu::DeviceSssp::most_bytes(vertices, arcs);
        if (needed <= plan.free_bytes) return {};
        return {fmt::format("not enough GPU memory: searches for shortest paths need {}, {} are free", bytes_in_words(static_cast<double>(needed)),
                            bytes_in_words(static_cast<double>(plan.free_bytes))),
                true};
    }

    GpuSsspSearch make(const DistributedGraph& graph, const algo::SsspOptions& options,
                       std::function<std::unique_ptr<algo::SsspSearch>()> make_wide) const override
    {
        gpu::SsspTuning tuning;
        tuning.width = options.delta;
        if (std::isfinite(options.cutoff)) tuning.cutoff = options.cutoff;
        auto search = std::make_unique<gpu::ResidentSssp>(graph, tuning, std::move(make_wide));
        const std::size_t graph_bytes = search->device().graph_bytes();
        const std::size_t state_bytes = search->device().state_bytes();
        return {std::move(search), graph_bytes, state_bytes};
    }
};

}  // namespace

const GpuSssp& gpu_sssp()
{
    static const CudaSssp cuda;
    return cuda;
}

}  // namespace wayfront::app
