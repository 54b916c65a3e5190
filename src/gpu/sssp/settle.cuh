// The steps between pushes and pulls: the results of pushes are written to the arrays that pulls
// read.
//
// Few vertices are nearer to the source than the nearest vertex of large degree, but they would
// make pulls read many arcs: an arc can improve a distance only if its weight is less than the
// difference between this distance and the smallest distance of a neighbour. These near vertices
// therefore relax all their arcs once. LightestArcs require this, too.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/pull_rules.hpp"
#include "gpu/sssp/steps.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// Returns the smallest distance of this GPU's vertices of large degree that pushes reached.
template <typename Distance, Reach kReach>
__device__ inline LargeCounts SsspSteps<Distance, kReach>::nearest_of_large() const
{
    constexpr std::uint32_t large_shift = 8;  // the first 1 / 2^8 of the slots count as vertices of large degree
    LargeCounts counts;
    const std::uint32_t large = view_.graph.slots >> large_shift;
    for (std::uint64_t slot = first_index(); slot < large; slot += index_stride()) {
        const std::uint64_t best = __ldcg(&view_.own.pushed[slot].best);
        if (best != PushState::kNothing && PushState::distance_of(best) < counts.nearest)
            counts.nearest = PushState::distance_of(best);
    }
    return counts;
}

/// Publishes distances and parents of the `count` own vertices that pushes reached, except leaves,
/// and resets their PushState. Collects the vertices nearer than `near_end`, without the source,
/// and counts these vertices and their arcs.
template <typename Distance, Reach kReach>
__device__ inline NearCounts SsspSteps<Distance, kReach>::settle_reached(std::uint32_t count, std::uint32_t near_end,
                                                                         const Source& source) const
{
    NearCounts counts;
    for_reached(count, [&](std::uint32_t slot, std::uint64_t best) {
        view_.own.pushed[slot] = {PushState::kNothing, PushState::kNothing, 0};
        if (slot >= view_.first_leaf) return;
        const std::uint32_t distance = PushState::distance_of(best);
        AllGpus::publish(view_, AllGpus::column(view_, slot), StoredBounds::final(distance, PushState::parent_of(best)),
                         view_.pull_from != SsspView::kNever ? Change::distance : Change::none);
        if (distance < near_end && !(source.is_own && slot == source.slot)) {
            collect_near(slot);
            ++counts.vertices;
            counts.arcs += view_.graph.lists[slot].degree();
        }
    });
    return counts;
}

/// The source relaxes the arcs that it has not pushed. These arcs lead to vertices that pushes have
/// not reached, unless another path is shorter. No other thread writes the bounds of these
/// vertices. Not for Reach::messages, with which a GPU writes no bounds of other GPUs' vertices.
template <typename Distance, Reach kReach>
__device__ inline void SsspSteps<Distance, kReach>::relax_leftovers(const Source& source) const
{
    static_assert(kReach != Reach::messages);
    const auto place = static_cast<std::uint32_t>(__ldcg(&view_.own.pushed[source.slot].progress));
    for (std::uint64_t i = place + first_index(); i < source.list.degree(); i += index_stride()) {
        const Arc arc = view_.graph.list_arcs[source.list.begin() + i];
        if (arc.end >= view_.first_leaf_column) continue;
        const typename AllGpus::Place end = AllGpus::place(view_, arc.end);
        const std::uint32_t sum = Distance::sum(0, arc.weight);
        if (__ldcg(&AllGpus::best(view_, end)) != PushState::kNothing || sum >= view_.end) continue;
        AllGpus::publish(view_, arc.end, StoredBounds::open(sum, 0));
        AllGpus::lists_of(view_, end.owner).parents[end.slot] = AllGpus::column(view_, source.slot);
    }
}

/// Calls f(slot, best) for this thread's share of the vertices that pushes reached, where `best`
/// has distance and parent.
template <typename Distance, Reach kReach>
template <typename F>
__device__ inline void SsspSteps<Distance, kReach>::for_reached(std::uint32_t count, F&& f) const
{
    constexpr std::uint32_t in_flight = 4;  // number of vertices whose loads are in flight together
    for (std::uint64_t first = first_index(); first < count; first += in_flight * index_stride()) {
        std::uint32_t slots[in_flight];
        std::uint64_t bests[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            const std::uint64_t i = first + k * index_stride();
            slots[k] = __ldcg(view_.reached + (i < count ? i : first));
        }
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) bests[k] = __ldcg(&view_.own.pushed[slots[k]].best);
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k)
            if (first + k * index_stride() < count) f(slots[k], bests[k]);
    }
}

template <typename Distance, Reach kReach>
__device__ inline void SsspSteps<Distance, kReach>::collect_near(std::uint32_t slot) const
{
    const std::uint32_t place = atomicAdd(&view_.own.sizes->near, 1U);
    if (place < kMostNear) view_.own.frontiers[0][place] = slot;
}

}  // namespace wayfront::gpu::sssp
