// The resident search for shortest paths: one cooperative kernel runs a whole search.
#pragma once

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu {

/// The number of blocks of the kernel: one on each multiprocessor. Throws ResourceError if the
/// device cannot run all blocks at once. `type`: uint32 or float32.
[[nodiscard]] unsigned sssp_blocks(WeightType type);

/// Puts the states of pushes into the state between searches.
void clear_push_states(const SsspView& view, const Stream& stream);

/// Searches and writes the results by local number. `blocks`: the result of sssp_blocks().
void launch_sssp(const SsspView& view, SsspSource source, WeightType type, unsigned blocks, const Stream& stream);

}  // namespace wayfront::gpu
