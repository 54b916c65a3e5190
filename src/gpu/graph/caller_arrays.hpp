// Arrays in GPU memory that callers of the library give and get. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/types.hpp"

namespace wayfront::gpu {

/// Memory of this process's GPU, which is freed with its last owner.
using DeviceMemory = std::shared_ptr<void>;

// Results for a caller, in memory of its own. Each call returns when the copy is complete, and throws
// ResourceError if device memory does not suffice.

/// A copy of memory of the host or of the GPU.
[[nodiscard]] DeviceMemory copied_to_gpu(std::span<const std::byte> from);
/// Parents in GPU memory as numbers of 64 bits, each increased by `first` unless it is -1.
[[nodiscard]] DeviceMemory wide_parents(std::span<const std::int32_t> parents, Vertex first);
/// Distances in GPU memory, which are the bits of floats or whole numbers, as doubles or whole numbers
/// of 64 bits. Those of vertices that were not reached are infinite, or the largest number.
[[nodiscard]] DeviceMemory wide_distances(std::span<const std::uint32_t> words, bool floats);
/// The largest of levels in GPU memory; 0 if there are none.
[[nodiscard]] std::int32_t deepest_level(std::span<const std::int32_t> levels);

void copy_to_host(const void* from, std::span<std::byte> to);

/// Waits for the work of a stream of CUDA, which the number stands for.
void wait_for_stream(std::uintptr_t stream);
/// The GPU that has this memory; -1 if none has it.
[[nodiscard]] int gpu_of(const void* memory);
/// The GPU that this process uses.
[[nodiscard]] int used_gpu();

}  // namespace wayfront::gpu
