#include "gpu/runtime/device.hpp"

#include <array>
#include <cstdio>

#include "gpu/runtime/check.hpp"

namespace wayfront::gpu {

namespace {

/// The UUID, in hexadecimal digits.
std::string id_of(const cudaDeviceProp& properties)
{
    std::string id;
    for (const char byte : properties.uuid.bytes) {
        std::array<char, 3> hex{};
        std::snprintf(hex.data(), hex.size(), "%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        id += hex.data();
    }
    return id;
}

}  // namespace

int device_count()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError();
    return 0;
}

std::vector<std::string> device_ids()
{
    std::vector<std::string> ids;
    for (int index = 0; index < device_count(); ++index) {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, index));
        ids.push_back(id_of(properties));
    }
    return ids;
}

DeviceInfo use_device(int index)
{
    if (device_count() == 0) throw ResourceError("no GPU was found; --engine cpu searches on the CPU");
    DeviceInfo info;
    info.index = index;
    check(cudaSetDevice(info.index));
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, info.index));
    info.name = properties.name;
    info.multiprocessors = properties.multiProcessorCount;
    info.id = id_of(properties);
    check(cudaMemGetInfo(&info.free_bytes, &info.memory_bytes));
    return info;
}

std::size_t free_memory()
{
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &all_bytes));
    return free_bytes;
}

}  // namespace wayfront::gpu
