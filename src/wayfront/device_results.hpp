// Results of searches as arrays in GPU memory.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "gpu/graph/caller_arrays.hpp"
#include "gpu/runtime/device.hpp"
#include "wayfront/device_arrays.hpp"

namespace wayfront {

/// Throws InputError or ResourceError if results cannot be in GPU memory.
inline void require_device_results(const comm::Communicator& world)
{
    if (world.size() > 1) throw InputError("results in GPU memory: the graph is distributed over several ranks");
    if (gpu::device_count() == 0) throw ResourceError("results in GPU memory: there is no GPU");
}

/// Memory that has `size` elements.
inline DeviceArray device_array(gpu::DeviceMemory memory, std::size_t size, ElementType type)
{
    return {std::move(memory), size, type, gpu::used_gpu()};
}

/// A copy of elements that are on the host or in GPU memory.
template <typename T>
DeviceArray copied_to_gpu(std::span<const T> from, ElementType type)
{
    return device_array(gpu::copied_to_gpu(std::as_bytes(from)), from.size(), type);
}

}  // namespace wayfront
