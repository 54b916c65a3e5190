// A graph in the form for near-far searches (near_far.hpp): in parts that fit the shared memory of
// a block, with the memory through which the blocks exchange distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gpu/graph/arc_lists.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/graph_parts.hpp"
#include "gpu/sssp/near_far.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

/// The memory through which the blocks exchange distances.
struct NearFarPlan : MemoryPlan
{
    explicit NearFarPlan(std::size_t boundary)
        : inboxes(array<std::uint32_t>("inboxes of parts", boundary)), control(array<NearFarControl>("control", 1))
    {
    }

    PlannedArray<std::uint32_t> inboxes;
    PlannedArray<NearFarControl> control;
};

/// Owns the memory on the device.
struct NearFarParts
{
    NearFarParts(const HostGraphParts& host, const NearFarLayout& fitting_layout, const Stream& stream)
        : parts(host, stream),
          layout(fitting_layout),
          plan(parts.boundary()),
          memory(plan),
          inboxes(memory[plan.inboxes]),
          control(memory[plan.control])
    {
    }
    [[nodiscard]] std::size_t bytes() const { return parts.bytes() + memory.bytes(); }
    /// The most device memory that a graph's parts can take, if all vertices are at a boundary.
    [[nodiscard]] static std::size_t most_bytes(std::size_t slots, std::size_t arcs)
    {
        return GraphParts::most_bytes(slots, arcs) + NearFarPlan(slots).bytes();
    }

    GraphParts parts;
    NearFarLayout layout;
    NearFarPlan plan;
    DeviceArrays memory;
    std::span<std::uint32_t> inboxes;
    std::span<NearFarControl> control;
};

/// Divides a graph that is on the device. No value if the parts do not fit shared memory. Unless
/// `always` is true, also no value if near-far does not suit the graph, because too many of its
/// arcs lead from part to part. Throws ResourceError if device memory does not suffice.
[[nodiscard]] std::unique_ptr<NearFarParts> make_near_far_parts(const ArcListsView& graph, WeightType type, bool always, const Stream& stream);

}  // namespace wayfront::gpu::sssp
