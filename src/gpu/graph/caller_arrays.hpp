// Arrays in GPU memory that callers of the library pass or receive. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/types.hpp"

namespace wayfront::gpu {

/// Memory of this process's GPU, which is freed with its last owner.
using DeviceMemory = std::shared_ptr<void>;

// Results for a caller, each in new memory. The functions return when the copy is complete, and
// throw ResourceError if the device memory does not suffice.

/// A copy of host memory or GPU memory.
[[nodiscard]] DeviceMemory copied_to_gpu(std::span<const std::byte> from);
/// Parents in GPU memory as numbers of 64 bits. `first` is added to each parent except -1.
[[nodiscard]] DeviceMemory wide_parents(std::span<const std::int32_t> parents, Vertex first);
/// Distances in GPU memory as doubles or as whole numbers of 64 bits. `words` are the bits of
/// floats, or whole numbers. The distance of an unreached vertex is infinite, or the largest whole
/// number.
[[nodiscard]] DeviceMemory wide_distances(std::span<const std::uint32_t> words, bool floats);
/// The largest of the levels in GPU memory; 0 if there are none.
[[nodiscard]] std::int32_t deepest_level(std::span<const std::int32_t> levels);

void copy_to_host(const void* from, std::span<std::byte> to);

/// Waits for the work of a CUDA stream, which is given as a number.
void wait_for_stream(std::uintptr_t stream);
/// The GPU that owns this memory; -1 if no GPU owns it.
[[nodiscard]] int gpu_of(const void* memory);
/// The GPU that this process uses.
[[nodiscard]] int used_gpu();

}  // namespace wayfront::gpu
