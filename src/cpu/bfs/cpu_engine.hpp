// The engine on the CPU's cores, with OpenMP.
#pragma once

#include "algo/bfs/edge_engine.hpp"
#include "base/host_buffer.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// Levels of fewer edges (top-down) or rows (bottom-up) than this run on the calling thread alone: waking the others would take longer.
struct CpuTuning
{
    std::size_t parallel_from_edges = 6000;
    std::size_t parallel_from_rows = 1 << 14;
};

class CpuEngine final : public EdgeEngine
{
public:
    /// The block outlives the engine.
    explicit CpuEngine(const CsrBlock& block, CpuTuning tuning = {});

    [[nodiscard]] std::string_view name() const override { return "cpu"; }
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override { launched_ = {true, frontier, &discoveries}; }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override { launched_ = {false, frontier, &discoveries}; }
    /// Does the work: the cores that wait for it are those that do it.
    void collect() override;

private:
    struct Launched
    {
        bool top_down = false;
        FrontierView frontier;
        Discoveries* discoveries = nullptr;
    };

    void search_top_down(const FrontierView& frontier, Discoveries& discoveries);
    void search_bottom_up(const FrontierView& frontier, Discoveries& discoveries) const;

    const CsrBlock& block_;
    CpuTuning tuning_;
    Launched launched_;
    HostBuffer<std::uint64_t> edge_offsets_;  // of each vertex of a frontier list: edges before it
};

}  // namespace wayfront::cpu
