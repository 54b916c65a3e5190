// A graph in the form for near-far searches (near_far.hpp): in parts, one for each block, with the
// device memory of the blocks and that through which they exchange distances.
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

/// Graphs of more vertices are not divided. It takes 16 cores 8 s for 24 million.
inline constexpr std::size_t kMostSlotsOfParts = std::size_t{64} << 20;

/// The device memory of all blocks.
struct NearFarPlan : MemoryPlan
{
    NearFarPlan(std::size_t boundary, std::size_t block_word_count)
        : inboxes(array<std::uint32_t>("inboxes of parts", boundary)),
          block_words(array<std::uint32_t>("distances and lists of parts", block_word_count)),
          control(array<NearFarControl>("control", 1))
    {
    }

    PlannedArray<std::uint32_t> inboxes;
    PlannedArray<std::uint32_t> block_words;
    PlannedArray<NearFarControl> control;
};

/// Owns the memory on the device.
struct NearFarParts
{
    NearFarParts(const HostGraphParts& host, const NearFarLayout& fitting_layout, const Stream& stream)
        : parts(host, stream),
          layout(fitting_layout),
          plan(parts.boundary(), host.parts.size() * layout.device_words()),
          memory(plan),
          inboxes(memory[plan.inboxes]),
          block_words(memory[plan.block_words]),
          control(memory[plan.control])
    {
    }
    [[nodiscard]] std::size_t bytes() const { return parts.bytes() + memory.bytes(); }

    GraphParts parts;
    NearFarLayout layout;
    NearFarPlan plan;
    DeviceArrays memory;
    std::span<std::uint32_t> inboxes, block_words;
    std::span<NearFarControl> control;
};

/// What the parts of a graph depend on, besides the graph.
struct NearFarPartsOptions
{
    WeightType type = WeightType::uint32;
    /// Whether the graph is divided also if too many of its arcs lead from part to part, so that
    /// near-far does not suit it.
    bool always = false;
    /// Whether the graph is divided also if distances will probably not fit shared memory.
    bool large = true;
    /// Whether distances are in device memory although they fit shared memory.
    bool in_device_memory = false;
};

/// Divides a graph that is on the device. No value if near-far does not suit the graph, if it has too
/// many vertices, or if not even the bits and the rings of its parts fit shared memory. Throws
/// ResourceError if device memory does not suffice.
[[nodiscard]] std::unique_ptr<NearFarParts> make_near_far_parts(const ArcListsView& graph,
                                                                const NearFarPartsOptions& options,
                                                                const Stream& stream);

}  // namespace wayfront::gpu::sssp
