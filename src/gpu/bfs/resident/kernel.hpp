// The resident search: one cooperative kernel on each GPU runs all levels of a search, including
// the exchange between GPUs.
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

/// The number of blocks of the kernel: one on each multiprocessor. Increases the view's
/// shared_bytes, which set_shared_memory() has set, to the need of all steps of this search. Throws
/// ResourceError if the device cannot run all blocks at once.
[[nodiscard]] unsigned resident_blocks(ResidentView& view);

/// Runs a search: launches `blocks` blocks (the result of resident_blocks()), which wait for the
/// blocks of all other ranks, and then writes the results.
void launch_resident(const ResidentView& view, SearchKey key, unsigned blocks, const Stream& stream);

}  // namespace wayfront::gpu::bfs
