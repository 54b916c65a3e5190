// The nearest source of each vertex after a search for shortest paths from several sources, on one
// GPU (gpu/graph/nearest_sources.hpp).
#pragma once

#include "gpu/graph/nearest_sources.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

/// Finds the nearest sources after the work in the stream, and replaces the parents in
/// view.result_parents. `type`: uint32 or float32. Pre: the lists are sorted by weight.
void launch_nearest_lengths(NearestSources& nearest, const SsspView& view, WeightType type, const Stream& stream);

}  // namespace wayfront::gpu::sssp
