#include "app/search/gpu_sssp.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/bytes_in_words.hpp"
#include "gpu/sssp/dense/dense_search.hpp"
#include "gpu/sssp/phases/search.hpp"
#include "gpu/sssp/resident_sssp.hpp"

namespace wayfront::app {

namespace {

std::optional<double> cutoff_of(const algo::SsspOptions& options)
{
    return std::isfinite(options.cutoff) ? std::optional(options.cutoff) : std::nullopt;
}

/// Searches with 32-bit distances in sparse graphs.
std::unique_ptr<gpu::DeviceSearch> make_device(const DistributedGraph& graph, const algo::SsspOptions& options)
{
    if (options.method == algo::SsspMethod::push_pull) {
        gpu::SsspTuning tuning;
        tuning.width = options.delta;
        tuning.cutoff = cutoff_of(options);
        return std::make_unique<gpu::DeviceSssp>(graph, tuning);
    }
    gpu::PhaseTuning tuning;
    tuning.cutoff = cutoff_of(options);
    if (options.method == algo::SsspMethod::conventional) tuning.mode = gpu::PhaseMode::conventional;
    if (options.method == algo::SsspMethod::selection) tuning.mode = gpu::PhaseMode::selection;
    if (options.phase_times)
        tuning.thresholds = {gpu::nanoseconds_of(options.phase_times->up_seconds), gpu::nanoseconds_of(options.phase_times->down_seconds)};
    return std::make_unique<gpu::DevicePhases>(graph, tuning);
}

class CudaSssp final : public GpuSssp
{
public:
    Obstacle memory_obstacle(const EnginePlan& plan, algo::SsspMethod method, Vertex vertices, EdgeCount arcs) const override
    {
        const std::size_t needed =
            method == algo::SsspMethod::fixed_order ? gpu::DenseSssp::most_bytes(vertices) : gpu::DeviceSssp::most_bytes(vertices, arcs);
        if (needed <= plan.free_bytes) return {};
        return {fmt::format("not enough GPU memory: searches for shortest paths need {}, {} are free", bytes_in_words(static_cast<double>(needed)),
                            bytes_in_words(static_cast<double>(plan.free_bytes))),
                true};
    }

    GpuSsspSearch make(const DistributedGraph& graph, const algo::SsspOptions& options,
                       std::function<std::unique_ptr<algo::SsspSearch>()> make_wide) const override
    {
        if (options.method == algo::SsspMethod::fixed_order) {
            auto search = std::make_unique<gpu::DenseSearch>(graph, options.cutoff, std::move(make_wide));
            const std::size_t graph_bytes = search->device().graph_bytes();
            const std::size_t state_bytes = search->device().state_bytes();
            return {std::move(search), graph_bytes, state_bytes};
        }
        std::unique_ptr<gpu::DeviceSearch> device = make_device(graph, options);
        const std::size_t graph_bytes = device->graph_bytes();
        const std::size_t state_bytes = device->state_bytes();
        return {std::make_unique<gpu::ResidentSssp>(graph, std::move(device), options.method, std::move(make_wide)), graph_bytes, state_bytes};
    }
};

}  // namespace

const GpuSssp& gpu_sssp()
{
    static const CudaSssp cuda;
    return cuda;
}

}  // namespace wayfront::app
