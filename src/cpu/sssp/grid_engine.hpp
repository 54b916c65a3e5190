// The engine of the rounds over a grid (algo/sssp/sssp_loop.hpp) on the CPU's cores.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/sssp/sssp_engine.hpp"
#include "base/host_buffer.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// Rounds of fewer edges (pushes) or rows (pulls) run on the calling thread alone, since waking the
/// other threads would take longer than the work.
struct SsspTuning
{
    std::size_t parallel_from_arcs = 4000;
    std::size_t parallel_from_rows = 2048;
};

/// Returns an engine for the block's weights. The block outlives the engine.
algo::AnySsspEngine make_sssp_engine(const CsrBlock& block, bool narrow, SsspTuning tuning = {});

}  // namespace wayfront::cpu
