#include "gpu/device_search.hpp"

#include "gpu/device_results.hpp"

namespace wayfront::gpu {

const std::int32_t* DeviceSearch::device_parents() const
{
    return results().parents.data();
}

void DeviceSearch::copy_parents(std::span<std::int32_t> parents) const
{
    copy_async(results().parents.span(), parents, results().stream);
    results().stream.synchronize();
}

void DeviceSearch::copy_levels(std::span<std::int32_t> levels) const
{
    copy_async(results().levels.span(), levels, results().stream);
    results().stream.synchronize();
}

}  // namespace wayfront::gpu
