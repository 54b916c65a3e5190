#include "gpu/runtime/device.hpp"

#include <bit>

#include "gpu/runtime/check.hpp"

namespace wayfront::gpu {

int device_count()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError();
    return 0;
}

std::string device_failure()
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    cudaGetLastError();
    if (status == cudaSuccess || status == cudaErrorNoDevice) return "";
    int driver = 0;
    // No driver is installed.
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) return "";
    return cudaGetErrorString(status);
}

DeviceId device_id(int index)
{
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index));
    return std::bit_cast<DeviceId>(properties.uuid);
}

std::string use_device(int index)
{
    if (device_count() == 0) throw ResourceError("no GPU was found");
    check(cudaSetDevice(index));
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index));
    return properties.name;
}

std::size_t free_memory()
{
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &all_bytes));
    return free_bytes;
}

std::size_t shared_memory_per_block()
{
    int device = 0;
    int bytes = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return static_cast<std::size_t>(bytes);
}

}  // namespace wayfront::gpu
