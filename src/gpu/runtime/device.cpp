#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "gpu/runtime/check.hpp"

namespace wayfront::gpu {

namespace {

struct VisibleDevices
{
    int count = 0;
    std::string failure;  // result of device_failure()
};

VisibleDevices find_visible_devices()
{
    VisibleDevices found;
    const cudaError_t status = cudaGetDeviceCount(&found.count);
    cudaGetLastError();
    if (status == cudaSuccess) return found;
    found.count = 0;
    int driver = 0;
    const bool no_driver = cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0;
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const bool hidden = visible != nullptr && (std::string_view(visible).empty() || std::string_view(visible) == "-1");
    if (status != cudaErrorNoDevice && !no_driver && !hidden) found.failure = cudaGetErrorString(status);
    return found;
}

std::size_t attribute_of_own_device(cudaDeviceAttr attribute)
{
    int device = 0;
    int value = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&value, attribute, device));
    return static_cast<std::size_t>(value);
}

/// CUDA is queried once, so that all decisions of a process are based on the same result.
const VisibleDevices& visible_devices()
{
    static const VisibleDevices found = find_visible_devices();
    return found;
}

}  // namespace

bool has_cuda()
{
    return true;
}

int device_count()
{
    return visible_devices().count;
}

std::string device_failure()
{
    return visible_devices().failure;
}

DeviceId device_id(int index)
{
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index));
    return std::bit_cast<DeviceId>(properties.uuid);
}

std::vector<DeviceId> device_ids()
{
    std::vector<DeviceId> all(static_cast<std::size_t>(device_count()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = device_id(static_cast<int>(i));
    return all;
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
    const std::size_t bytes = attribute_of_own_device(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const char* const limit = std::getenv("WAYFRONT_SHARED_MEMORY_KIB");
    return limit == nullptr ? bytes : std::min<std::size_t>(bytes, std::strtoull(limit, nullptr, 10) << 10);
}

std::size_t multiprocessors()
{
    return attribute_of_own_device(cudaDevAttrMultiProcessorCount);
}

}  // namespace wayfront::gpu
