// Which GPU a rank uses. Free of CUDA's headers, so that the driver can ask.
#pragma once

#include <cstddef>
#include <string>

namespace wayfront::gpu {

/// GPUs that this process can see (CUDA_VISIBLE_DEVICES applies); 0 where there is none or no driver.
[[nodiscard]] int device_count();

struct DeviceInfo
{
    int index = 0;  // among the visible ones
    std::string name;
    std::string uuid;  // the same GPU has the same one in every process
    std::size_t memory_bytes = 0;
    std::size_t free_bytes = 0;
    int multiprocessors = 0;
};

/// Makes GPU `local_rank % device_count()` this process's own and tells of it. Throws ResourceError where there is none.
DeviceInfo use_device(int local_rank);

}  // namespace wayfront::gpu
