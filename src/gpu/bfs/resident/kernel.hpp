// The resident search: one cooperative kernel a GPU that runs all levels of a search, exchange between GPUs included.
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// The number of blocks of the kernel: one on each multiprocessor. Makes the view's shared_bytes, as
/// set_shared_memory() left them, enough for all steps of this search. Throws ResourceError if the
/// device cannot run all blocks at once.
[[nodiscard]] unsigned resident_blocks(ResidentView& view);

/// A search: on each rank one launch of `blocks` blocks, as resident_blocks() said, which wait for those
/// of the other ranks; then the results are written.
void launch_resident(const ResidentView& view, SearchKey key, unsigned blocks, const Stream& stream);

}  // namespace wayfront::gpu
