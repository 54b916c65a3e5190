// The passes of the Bellman-Ford algorithm on a dense matrix.
#pragma once

#include "gpu/papers/dense/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::sssp {

/// The type of the matrix and of the distances.
enum class DenseType {
    int32,   // infinity is the largest number
    float32  // sums are rounded once
};

/// The number of blocks of launch_dense_passes(): one on each multiprocessor. Throws ResourceError
/// if the device cannot run them all at once with `shared_bytes` of shared memory each.
[[nodiscard]] unsigned dense_blocks(DenseType type, std::size_t shared_bytes);

/// The first pass for the columns of some tiles, whose part of the matrix is on the device: starts
/// distances, predecessors and changes, and relaxes the source's edges.
void launch_first_pass(const DenseView& view, DenseType type, std::uint32_t source, std::uint32_t first_tile,
                       std::uint32_t tiles, const Stream& stream);

/// Passes from number `first` on, until nothing changes or `most` passes are done. `first` is at
/// least 2. `blocks`: the result of dense_blocks().
void launch_dense_passes(const DenseView& view, DenseType type, std::uint32_t first, std::uint32_t most,
                         unsigned blocks, const Stream& stream);

}  // namespace wayfront::gpu::sssp
