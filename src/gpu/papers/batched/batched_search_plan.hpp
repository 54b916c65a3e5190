// An arc, and the arrays that a batched search (batched_search.hpp) allocates. Free of CUDA's
// headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

struct BatchedArc
{
    std::uint32_t target;
    std::uint32_t weight;
};

struct BatchedSearchPlan : MemoryPlan
{
    /// `sources`: number of sources in a batch, 1 or a multiple of 32.
    BatchedSearchPlan(std::size_t vertices, std::size_t arc_count, std::size_t sources)
        : begins(array<std::uint32_t>("begins of lists", vertices + 1)),
          arcs(array<BatchedArc>("arcs", arc_count)),
          costs(array<std::uint32_t>("costs", vertices, sources)),
          new_costs(array<std::uint32_t>("new costs", vertices, sources)),
          changed(array<std::uint32_t>("whether costs changed", vertices, sources == 1 ? 1 : sources / 32)),
          any(array<std::uint32_t>("whether any cost changed", 1))
    {
    }

    PlannedArray<std::uint32_t> begins;
    PlannedArray<BatchedArc> arcs;
    PlannedArray<std::uint32_t> costs, new_costs, changed, any;
};

}  // namespace wayfront::gpu::apsp
