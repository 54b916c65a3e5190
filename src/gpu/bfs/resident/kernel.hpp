// The resident search: one cooperative kernel a GPU that runs all levels of a search, exchange between GPUs included.
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Blocks that the kernel runs with: one a multiprocessor. Makes the view's shared_bytes, as set_shared_memory() left them, enough for all steps of
/// this search. Throws ResourceError where the device cannot run all blocks at once.
[[nodiscard]] int resident_blocks(SearchView& view);

/// A search: one launch of `blocks` blocks, as resident_blocks() said, on each rank, which wait for each other's; then its results are written.
void launch_resident(const SearchView& view, SearchKey key, int blocks, const Stream& stream);

}  // namespace wayfront::gpu
