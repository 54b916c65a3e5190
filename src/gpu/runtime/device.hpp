// The GPUs of a host, and the GPU that a rank uses. Free of CUDA's headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wayfront::gpu {

/// Whether this program was built with CUDA. If not, the functions of src/gpu that other layers
/// call find no GPU or throw ResourceError (gpu/none).
[[nodiscard]] bool has_cuda();

/// The number of GPUs that are visible to this process (CUDA_VISIBLE_DEVICES applies); 0 without a
/// GPU or a driver.
[[nodiscard]] int device_count();

/// The reason, in CUDA's words, why no GPU is visible although there is a driver. Empty if a GPU is
/// visible, if there is no GPU, or if CUDA_VISIBLE_DEVICES hides all GPUs.
[[nodiscard]] std::string device_failure();

/// A GPU's UUID, which is the same in all processes.
using DeviceId = std::array<std::uint8_t, 16>;

/// The UUID of a visible GPU. Throws ResourceError.
[[nodiscard]] DeviceId device_id(int index);
/// The UUIDs of all visible GPUs. Throws ResourceError.
[[nodiscard]] std::vector<DeviceId> device_ids();

/// Makes the visible GPU `index` the GPU of this process, and returns its name. Throws
/// ResourceError if there is no GPU.
std::string use_device(int index);

/// The free memory of this process's GPU, in bytes. Throws ResourceError.
[[nodiscard]] std::size_t free_memory();

/// The largest shared memory of a thread block on this process's GPU, in bytes. The environment
/// variable WAYFRONT_SHARED_MEMORY_KIB, if it is set, limits the result in KiB, so that tests
/// search as on a smaller GPU. Throws ResourceError.
[[nodiscard]] std::size_t shared_memory_per_block();

/// The number of multiprocessors of this process's GPU. Throws ResourceError.
[[nodiscard]] std::size_t multiprocessors();

}  // namespace wayfront::gpu
