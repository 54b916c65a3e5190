// The results of a search on a GPU, in device memory: one entry for each of a rank's vertices, in
// the order of local numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::bfs {

struct DeviceResultsPlan : MemoryPlan
{
    DeviceResultsPlan(std::size_t local_count, bool with_levels)
        : parents(array<std::int32_t>("parents of vertices", local_count)),
          levels(array<std::int32_t>("levels of vertices", with_levels ? local_count : 0))
    {
    }
    PlannedArray<std::int32_t> parents, levels;
};

struct DeviceResults
{
    explicit DeviceResults(const DeviceResultsPlan& plan) : parents(plan.parents), levels(plan.levels) {}

    [[nodiscard]] std::size_t bytes() const { return parents.bytes() + levels.bytes(); }

    Stream stream;  // stream of the search and of the copies of its results
    DeviceBuffer<std::int32_t> parents;
    DeviceBuffer<std::int32_t> levels;  // empty if levels are not kept
};

}  // namespace wayfront::gpu::bfs
