#include "gpu/sssp/resident_sssp.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

namespace {

/// Largest number of vertices of a graph on a GPU.
constexpr Vertex kNarrowVertices = Vertex{1} << 31;

}  // namespace

ResidentSssp::ResidentSssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspTuning& tuning,
                           Maker make_wide)
    : ResidentSssp(graph, std::make_unique<DeviceSssp>(grid, graph, tuning), algo::SsspMethod::push_pull,
                   std::move(make_wide))
{
}

ResidentSssp::ResidentSssp(const DistributedGraph& graph, std::unique_ptr<DeviceSearch> device, algo::SsspMethod method,
                           Maker make_wide, ParentChoice choose_parents)
    : device_(std::move(device)), make_wide_(std::move(make_wide)), choose_parents_(std::move(choose_parents))
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
    nearest_ = false;
    run_on_device([&] { device_->run(source); });
    if (used_wide_) wide().run(source);
    if (used_wide_ || !choose_parents_) return;
    copy_result();
    copied_ = true;
    choose_parents_(source, result_);
}

void ResidentSssp::run_nearest(std::span<const Vertex> sources)
{
    nearest_ = true;
    prepare_nearest();
    run_on_device([&] { device_->run_nearest(sources); });
    if (used_wide_) wide().run_nearest(sources);
}

std::size_t ResidentSssp::prepare_nearest()
{
    if (!on_device()) return 0;
    const std::size_t before = device_->state_bytes();
    device_->prepare_nearest();
    if (result_.nearest.size() == 0) result_.nearest = VertexArray(result_.parents.size(), kNarrowVertices);
    return device_->state_bytes() - before;
}

template <typename Run>
void ResidentSssp::run_on_device(Run&& run)
{
    if (!on_device()) return;
    copied_ = false;
    std::forward<Run>(run)();
    device_->collect();
    used_wide_ = device_->overflowed();
}

algo::SsspSearch& ResidentSssp::wide()
{
    if (wide_ == nullptr) wide_ = make_wide_();
    return *wide_;
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
    if (nearest_) device_->copy_nearest(result_.nearest.narrow_elements());
}

std::string ResidentSssp::description() const
{
    if (!on_device()) return wide_->description() + " on the CPU, as distances may be too large for floats";
    return device_->description();
}

}  // namespace wayfront::gpu::sssp
