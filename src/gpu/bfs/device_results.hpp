// Where a search on a GPU leaves its results: a rank's vertices in the order of local numbers, in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

struct DeviceResults
{
    DeviceResults(std::size_t local_count, bool with_levels) : parents(local_count), levels(with_levels ? local_count : 0) {}

    [[nodiscard]] std::size_t bytes() const { return parents.bytes() + levels.bytes(); }

    Stream stream;  // of the search and of copies of its results
    DeviceBuffer<std::int32_t> parents;
    DeviceBuffer<std::int32_t> levels;  // where kept
};

}  // namespace wayfront::gpu
