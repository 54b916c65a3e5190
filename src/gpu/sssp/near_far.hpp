// The near-far search for shortest paths: one block runs a whole search.
#pragma once

#include <cstdint>

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu {

/// A vertex that has got a distance.
struct alignas(8) NearFarItem
{
    std::uint32_t slot;
    std::uint32_t distance;
};

struct NearFarView
{
    ArcListsView graph;
    std::uint64_t* labels = nullptr;  // distance << 32 | slot of the parent
    NearFarItem* far[2] = {};         // each has room for as many items as there are slots and arcs
    SsspSummary* summary = nullptr;
    // Results by local number: distances and the input's numbers of parents.
    std::uint32_t* result_distances = nullptr;
    std::int32_t* result_parents = nullptr;
    std::uint32_t width = 0;  // of a window, as a distance
    std::uint32_t end = 0;    // distances from here on count as infinite
    bool must_end = true;     // otherwise a search gives up that has more near vertices than shared memory holds: SsspSummary::spilled
};

/// Allows the kernel its shared memory. Throws ResourceError if the device has less.
void prepare_near_far(WeightType type);

/// Searches and writes the results by local number. `type`: uint32 or float32.
void launch_near_far(const NearFarView& view, SsspSource source, WeightType type, const Stream& stream);

}  // namespace wayfront::gpu
