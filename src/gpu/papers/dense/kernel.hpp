// The passes of the Bellman-Ford algorithm on a dense matrix.
#pragma once

#include "gpu/papers/dense/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::sssp {

/// The type of the matrix and of the distances.
enum class DenseType {
    int32,   // infinity is the largest number
    float32  // each sum is rounded
};

/// The number of blocks for launch_dense_passes(): one on each multiprocessor. Throws ResourceError
/// if the device cannot run all blocks at once with `shared_bytes` of shared memory each.
[[nodiscard]] unsigned dense_blocks(DenseType type, std::size_t shared_bytes);

/// The tiles first to first + count - 1.
struct DenseTileRange
{
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// The first pass for the columns of `tiles`, whose part of the matrix is on the device:
/// initialises distances, predecessors and changes, and relaxes the source's edges.
void launch_first_pass(const DenseView& view, DenseType type, std::uint32_t source, DenseTileRange tiles,
                       const Stream& stream);

/// The passes from number `first` on, at most `most` of them.
struct DensePassLimits
{
    std::uint32_t first = 2;  // at least 2
    std::uint32_t most = 0;
};

/// Runs the passes of `limits`, or fewer if no distance changes. `blocks`: result of
/// dense_blocks().
void launch_dense_passes(const DenseView& view, DenseType type, DensePassLimits limits, unsigned blocks,
                         const Stream& stream);

}  // namespace wayfront::gpu::sssp
