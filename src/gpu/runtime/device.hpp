// The GPUs of a host, and the GPU that a rank uses. Free of CUDA's headers, so that the driver can
// include it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wayfront::gpu {

/// Whether this program was built with CUDA. If not, the functions of src/gpu that other layers call
/// find no GPU, or throw ResourceError (gpu/none).
[[nodiscard]] bool has_cuda();

/// The number of GPUs that this process can see (CUDA_VISIBLE_DEVICES applies); 0 if there is no
/// GPU or no driver.
[[nodiscard]] int device_count();

/// The reason, in CUDA's words, why no GPU is visible although there is a driver; empty if a GPU is
/// visible, if there is none, or if CUDA_VISIBLE_DEVICES hides all.
[[nodiscard]] std::string device_failure();

/// A GPU's UUID: the same in every process.
using DeviceId = std::array<std::uint8_t, 16>;

/// The UUID of a visible GPU. Throws ResourceError.
[[nodiscard]] DeviceId device_id(int index);
/// The UUIDs of all visible GPUs. Throws ResourceError.
[[nodiscard]] std::vector<DeviceId> device_ids();

/// Makes visible GPU `index` this process's own and returns its name. Throws ResourceError if there
/// is no GPU.
std::string use_device(int index);

/// The free bytes of the memory of this process's GPU. Throws ResourceError.
[[nodiscard]] std::size_t free_memory();

/// The bytes of shared memory that a thread block can have on this process's GPU; at most
/// WAYFRONT_SHARED_MEMORY_KIB KiB, if the environment has this variable, by which tests search as on
/// a smaller GPU. Throws ResourceError.
[[nodiscard]] std::size_t shared_memory_per_block();

/// The number of multiprocessors of this process's GPU. Throws ResourceError.
[[nodiscard]] std::size_t multiprocessors();

}  // namespace wayfront::gpu
