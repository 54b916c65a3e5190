// The search by phases on one GPU, as the host sees it: a search is one launch. Free of CUDA's
// headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "gpu/papers/phases/switch_rule.hpp"
#include "gpu/sssp/device_search.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

struct PhaseTuning
{
    PhaseMode mode = PhaseMode::adaptive;
    /// Thresholds of the adaptive mode. Without a value, they are measured after the graph has been
    /// copied.
    std::optional<PhaseThresholds> thresholds;
    /// Vertices at a greater distance count as not reached.
    std::optional<double> cutoff;
};

class DevicePhases final : public DeviceSearch
{
public:
    /// Copies a graph on one rank to this rank's GPU. Pre: the weights are uint32 or float32, and
    /// none is negative. Throws ResourceError.
    DevicePhases(const DistributedGraph& graph, const PhaseTuning& tuning);
    ~DevicePhases() override;

    void run(Vertex source) override;
    /// Searches in a mode and with thresholds that may differ from those of the tuning.
    void run(Vertex source, PhaseMode mode, PhaseThresholds thresholds);

    [[nodiscard]] SsspFacts facts() const override;
    [[nodiscard]] bool overflowed() const override;
    void copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] std::size_t graph_bytes() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

    [[nodiscard]] PhaseThresholds thresholds() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::sssp
