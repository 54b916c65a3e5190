// Blocked Floyd-Warshall in tiles of 32 x 32, as the host sees it (task_floyd_warshall.cuh). Free
// of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/runtime/device_arrays.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

/// The memory that the blocks of close_by_tasks() share. Calls reuse it.
struct TaskBuffers
{
    DeviceArrays memory;  // arrays of a TasksPlan
    std::span<std::uint32_t> next, steps;
};

/// Whether the tasks of all matrices can be numbered.
[[nodiscard]] bool fits_tasks(std::uint32_t vertices, std::uint32_t matrices);

/// Matrices of one size that the same launches close: each element becomes a shortest distance.
struct MatrixBatch
{
    const FloydWarshallView& view;
    std::uint32_t vertices;
    std::uint32_t matrices;
    MinPlusSums sums;
};

/// Closes matrices by three kernels per pivot tile, which are launched in the stream. `threads`: threads of a block, a
/// power of two from 64 to 1024. Pre: a word has one distance, and fits_tasks().
void close_in_steps(const MatrixBatch& batch, unsigned threads, const Stream& stream);

/// Closes matrices by one kernel, which is launched in the stream. Pre: as close_in_steps(). Throws ResourceError.
void close_by_tasks(const MatrixBatch& batch, unsigned threads, TaskBuffers& buffers, const Stream& stream);

}  // namespace wayfront::gpu::apsp
