// From the order of slots, in which a search works, into that of local numbers, in which its results are told.
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Parents, and levels where kept: view.result and view.result_levels.
void launch_write_results(const SearchView& view, SearchKey key, const Stream& stream);

}  // namespace wayfront::gpu
