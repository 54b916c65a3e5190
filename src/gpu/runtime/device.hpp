// Which GPU a rank uses. Free of CUDA's headers, so that the driver can ask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace wayfront::gpu {

/// GPUs that this process can see (CUDA_VISIBLE_DEVICES applies); 0 where there is none or no driver.
[[nodiscard]] int device_count();

/// Why there is none to be seen although there is a driver, in CUDA's words; empty where one is seen, and where there are simply none.
[[nodiscard]] std::string device_failure();

/// A GPU's UUID: the same in every process.
using DeviceId = std::array<std::uint8_t, 16>;

/// Of a visible GPU. Throws ResourceError.
[[nodiscard]] DeviceId device_id(int index);

/// Makes visible GPU `index` this process's own and returns its name. Throws ResourceError where there is none at all.
std::string use_device(int index);

/// Of the memory of this process's GPU, in bytes. Throws ResourceError.
[[nodiscard]] std::size_t free_memory();

/// Shared memory that a thread block can have on this process's GPU, in bytes. Throws ResourceError.
[[nodiscard]] std::size_t shared_memory_per_block();

}  // namespace wayfront::gpu
