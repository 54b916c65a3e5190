// The search by phases: one cooperative kernel runs all phases of a search.
#pragma once

#include "gpu/papers/phases/view.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

/// The number of blocks of the kernel: one on each multiprocessor. Throws ResourceError if the
/// device cannot run all blocks at once. `type`: uint32 or float32.
[[nodiscard]] unsigned phase_blocks(WeightType type);

/// Searches and writes the results by local number. `blocks`: the result of phase_blocks().
void launch_phases(const PhaseView& view, const PhaseRun& run, SsspSource source, WeightType type, unsigned blocks,
                   const Stream& stream);

}  // namespace wayfront::gpu::sssp
