#include "gpu/sssp/resident_sssp.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

ResidentSssp::ResidentSssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspTuning& tuning,
                           Maker make_wide)
    : ResidentSssp(graph, std::make_unique<DeviceSssp>(grid, graph, tuning), algo::SsspMethod::push_pull,
                   std::move(make_wide))
{
}

ResidentSssp::ResidentSssp(const DistributedGraph& graph, std::unique_ptr<DeviceSearch> device, algo::SsspMethod method,
                           Maker make_wide)
    : device_(std::move(device)), make_wide_(std::move(make_wide))
{
    if (device_->always_overflows()) {
        device_.reset();
        wide_ = make_wide_();
        used_wide_ = true;
        return;
    }
    const std::uint32_t count = graph.local_count();
    if (weight_type(graph.block.in_weights) == WeightType::float32)
        result_.distances = HostBuffer<float>(count);
    else
        result_.distances = HostBuffer<std::uint32_t>(count);
    result_.parents = VertexArray(count, graph.partition.vertex_count());
    result_.method = method;
}

void ResidentSssp::run(Vertex source)
{
    if (on_device()) {
        copied_ = false;
        device_->run(source);
        device_->collect();
        used_wide_ = device_->overflowed();
    }
    if (!used_wide_) return;
    if (wide_ == nullptr) wide_ = make_wide_();
    wide_->run(source);
}

const algo::SsspResult& ResidentSssp::result() const
{
    if (used_wide_) return wide_->result();
    if (!std::exchange(copied_, true)) copy_result();
    return result_;
}

void ResidentSssp::copy_result() const
{
    const SsspFacts facts = device_->facts();
    result_.reached = facts.reached;
    result_.counters = {.rounds = facts.steps, .relaxed_arcs = facts.relaxed_arcs, .pulled_arcs = facts.pulled_arcs};
    std::visit(
        [&]<typename T>(HostBuffer<T>& distances) {
            if constexpr (sizeof(T) == sizeof(std::uint32_t))
                device_->copy_results(std::span(reinterpret_cast<std::uint32_t*>(distances.data()), distances.size()),
                                      result_.parents.narrow_elements());
            else
                throw std::logic_error("distances on a GPU have 32 bits");
        },
        result_.distances);
}

std::string ResidentSssp::description() const
{
    if (!on_device()) return wide_->description() + " on the CPU, as distances may be too large for floats";
    return device_->description();
}

}  // namespace wayfront::gpu::sssp
