// Which GPU a rank uses. Free of CUDA's headers, so that the driver can ask.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wayfront::gpu {

/// GPUs that this process can see (CUDA_VISIBLE_DEVICES applies); 0 where there is none or no driver.
[[nodiscard]] int device_count();

/// Of each GPU that this process sees, an id that is the same in every process.
[[nodiscard]] std::vector<std::string> device_ids();

struct DeviceInfo
{
    int index = 0;  // among the visible ones
    std::string name;
    std::string id;  // see device_ids()
    std::size_t memory_bytes = 0;
    std::size_t free_bytes = 0;
    int multiprocessors = 0;
};

/// Makes visible GPU `index` this process's own and tells of it. Throws ResourceError where there is none at all.
DeviceInfo use_device(int index);

/// Of the memory of this process's GPU, in bytes. Throws ResourceError.
[[nodiscard]] std::size_t free_memory();

}  // namespace wayfront::gpu
