// The parents after a near-far search, which finds only distances. A parent of a vertex v is any
// vertex u with a smaller distance and an arc to v such that distance(u) + weight = distance(v).
#pragma once

#include <cstdint>

#include "gpu/sssp/near_far.hpp"

namespace wayfront::gpu::sssp {

/// Makes a slot the parent of the slots to which its arcs lead, if these have the larger distance
/// that the arc gives. Notes an overflow if an arc's sum does not fit and the end of the arc is not
/// reached.
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
