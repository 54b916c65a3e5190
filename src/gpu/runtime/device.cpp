#include "gpu/runtime/device.hpp"

#include <array>
#include <cstdio>

#include "gpu/runtime/check.hpp"

namespace wayfront::gpu {

int device_count()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError();
    return 0;
}

DeviceInfo use_device(int local_rank)
{
    const int count = device_count();
    if (count == 0) throw ResourceError("no GPU was found; --engine cpu searches on the CPU");
    DeviceInfo info;
    info.index = local_rank % count;
    check(cudaSetDevice(info.index));
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, info.index));
    info.name = properties.name;
    info.multiprocessors = properties.multiProcessorCount;
    for (const char byte : properties.uuid.bytes) {
        std::array<char, 3> hex{};
        std::snprintf(hex.data(), hex.size(), "%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        info.uuid += hex.data();
    }
    check(cudaMemGetInfo(&info.free_bytes, &info.memory_bytes));
    return info;
}

}  // namespace wayfront::gpu
