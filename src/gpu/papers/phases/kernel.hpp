// The search by phases: one cooperative kernel runs all phases of a search.
#pragma once

#include "gpu/papers/phases/view.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

/// The size of the kernel's launches.
struct PhaseLaunch
{
    WeightType type;
    unsigned blocks;  // one block on each multiprocessor
};

/// Throws ResourceError if the device cannot run all blocks at once. `type`: uint32 or float32.
[[nodiscard]] PhaseLaunch plan_phase_launch(WeightType type);

/// Searches and writes the results by local number. `size`: the result of plan_phase_launch().
void launch_phases(const PhaseView& view, const PhaseRun& run, SsspSource source, const PhaseLaunch& size,
                   const Stream& stream);

}  // namespace wayfront::gpu::sssp
