// The nearest source of each vertex after a resident search from several sources, on one GPU
// (gpu/graph/nearest_sources.hpp).
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/graph/nearest_sources.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

/// Finds the nearest sources after the work in the stream, and replaces the parents in view.result.
/// Pre: levels are kept.
void launch_nearest_levels(NearestSources& nearest, const SearchView& view, const Stream& stream);

}  // namespace wayfront::gpu::bfs
