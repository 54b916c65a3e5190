// The engine on the CPU's cores, with OpenMP.
#pragma once

#include "algo/bfs/edge_engine.hpp"
#include "cpu/edge_pieces.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// Levels with fewer edges (top-down) or rows (bottom-up) run on the calling thread alone, since
/// waking the other threads would take longer than the work.
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
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override
    {
        launched_ = {true, frontier, &discoveries};
    }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override
    {
        launched_ = {false, frontier, &discoveries};
    }
    /// Searches here and not in launch, because the cores that wait are also the cores that search.
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
    EdgePieces pieces_;  // the edges of the frontier, in pieces
};

}  // namespace wayfront::cpu
