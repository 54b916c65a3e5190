#include "app/search/host_sssp.hpp"

#include "algo/sssp/grid_sssp.hpp"
#include "cpu/sssp/grid_engine.hpp"

namespace wayfront::app {

std::unique_ptr<algo::SsspSearch> make_host_sssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const algo::SsspOptions& options)
{
    return algo::make_grid_sssp(grid, graph, options, [](const CsrBlock& block, bool narrow) { return cpu::make_sssp_engine(block, narrow); });
}

}  // namespace wayfront::app
