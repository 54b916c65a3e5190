// A graph in the form for near-far searches (near_far.hpp): one part for each thread block, with
// the blocks' device memory and the inboxes.
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

/// Largest number of slots of a graph that is divided. 16 cores divide a graph of 24 million
/// vertices in 8 s.
inline constexpr std::size_t kMostSlotsOfParts = std::size_t{64} << 20;

/// The device memory that all blocks use.
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

/// A divided graph, and the device memory of a search.
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

/// The options of make_near_far_parts().
struct NearFarPartsOptions
{
    WeightType type = WeightType::uint32;
    /// Whether the graph is divided even if too many of its arcs lead from part to part for
    /// near-far.
    bool always = false;
    /// Whether the graph is divided even if distances will probably not fit shared memory.
    bool large = true;
    /// Whether distances are stored in device memory even if they fit shared memory.
    bool in_device_memory = false;
};

/// Divides a graph that is in device memory. Returns null if near-far does not suit the graph, if
/// the graph has too many vertices, or if the bitmap and the rings of a part do not fit shared
/// memory. Throws ResourceError if the device memory does not suffice.
[[nodiscard]] std::unique_ptr<NearFarParts> make_near_far_parts(const ArcListsView& graph,
                                                                const NearFarPartsOptions& options,
                                                                const Stream& stream);

}  // namespace wayfront::gpu::sssp
