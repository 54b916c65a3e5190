// Copies the results of a search from the order of slots to the order of local numbers.
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

/// Writes the parents to view.result, and the levels to view.result_levels if they are kept. Also
/// writes the results of keys without edges.
void launch_write_results(const SearchView& view, SearchKey key, const Stream& stream);

}  // namespace wayfront::gpu::bfs
