// The arrays of a MemoryPlan in device memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu {

/// Owns all arrays of one plan. Each array is allocated separately, uninitialised. Spans stay valid
/// when the object is moved.
class DeviceArrays
{
public:
    DeviceArrays() = default;
    /// Throws ResourceError if the device memory does not suffice.
    explicit DeviceArrays(const MemoryPlan& plan)
    {
        for (const MemoryPlan::Array& array : plan.arrays()) memory_.emplace_back(array.bytes);
    }

    /// Pre: `array` is an array of the plan.
    template <typename T>
    [[nodiscard]] std::span<T> operator[](const PlannedArray<T>& array)
    {
        return {reinterpret_cast<T*>(memory_[array.index].data()), array.count};
    }
    /// Replaces an array by an uninitialised array of another size.
    template <typename T>
    [[nodiscard]] std::span<T> replace(const PlannedArray<T>& array, std::size_t count)
    {
        DeviceBuffer<std::byte>& memory = memory_[array.index];
        memory = {};  // frees the old array first, so that there is room for the new array
        memory = DeviceBuffer<std::byte>(count * sizeof(T));
        return {reinterpret_cast<T*>(memory.data()), count};
    }

    /// The bytes that are currently allocated.
    [[nodiscard]] std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const DeviceBuffer<std::byte>& memory : memory_) sum += memory.bytes();
        return sum;
    }

private:
    std::vector<DeviceBuffer<std::byte>> memory_;
};

}  // namespace wayfront::gpu
