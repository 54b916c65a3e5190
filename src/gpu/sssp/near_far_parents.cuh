// Parents after the near-far search, which finds distances alone. A parent of a vertex is any
// vertex that has a smaller distance and an arc that gives the vertex its own.
#pragma once

#include <cstdint>

#include "gpu/sssp/near_far.hpp"

namespace wayfront::gpu::sssp {

/// Finds parents by distances: of a slot that is reached, the slot of a vertex that has a smaller
/// distance and an arc that gives this one. Notes sums that do not fit, if nothing else reaches the
/// end of the arc.
template <typename Distance>
__device__ void offer_as_parent(const NearFarView& view, std::uint32_t slot)
{
    const std::uint32_t distance = view.distances[slot];
    if (distance == Distance::kInfinity) return;
    const ListPlace list = view.graph.lists[slot];
    for (std::uint32_t k = 0; k < list.degree(); ++k) {
        const Arc arc = view.graph.list_arcs[list.begin() + k];
        const std::uint32_t sum = Distance::sum(distance, arc.weight);
        const std::uint32_t end = view.distances[arc.end];
        if (sum == end && distance < end && end < Distance::kInfinity) view.parents[arc.end] = slot;
        if (Distance::kOverflows && sum == Distance::kInfinity && end == Distance::kInfinity &&
            view.end == Distance::kInfinity)
            view.summary->overflow = 1;
    }
}

}  // namespace wayfront::gpu::sssp
