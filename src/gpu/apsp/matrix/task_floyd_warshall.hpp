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

/// Matrices of one size that are closed together.
struct MatrixBatch
{
    const FloydWarshallView& view;
    std::uint32_t vertices;
    std::uint32_t matrices;
    MinPlusSums sums;
};

/// Starts to close matrices by three kernels per step. `threads`: threads of a block, a power of
/// two from 64 to 1024. Pre: a word has one distance, and fits_tasks().
void close_in_steps(const MatrixBatch& batch, unsigned threads, const Stream& stream);

/// Starts to close matrices by one kernel, with the same preconditions. Throws ResourceError.
void close_by_tasks(const MatrixBatch& batch, unsigned threads, TaskBuffers& buffers, const Stream& stream);

}  // namespace wayfront::gpu::apsp
