// The kernel of the resident search (kernel.hpp), on one GPU (`SingleGpu`) or on several.
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

template <bool SingleGpu>
struct ResidentKernel
{
    /// Number of blocks: one on each multiprocessor. Throws ResourceError if the device cannot run
    /// all blocks at once.
    [[nodiscard]] static unsigned blocks(const ResidentView& view);
    static void launch(const ResidentView& view, SearchKey key, unsigned blocks, const Stream& stream);
};

extern template struct ResidentKernel<true>;
extern template struct ResidentKernel<false>;

}  // namespace wayfront::gpu::bfs
