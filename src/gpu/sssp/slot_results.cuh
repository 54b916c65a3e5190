// The results of a search by pushes and pulls, in the form that results.cuh writes by local number.
#pragma once

#include <cstdint>

#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/results.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// Reads the results of kSlotsInFlight slots. The loads of all these slots are in flight together.
template <typename Distance, Reach kReach>
struct SlotResults
{
    SsspView view;
    SsspSource source;

    __device__ void operator()(const std::uint32_t (&slots)[kSlotsInFlight],
                               SlotResult (&results)[kSlotsInFlight]) const
    {
        uint2 first[kSlotsInFlight];  // bounds of a vertex, or arc of a leaf
        std::uint32_t leaf_parents[kSlotsInFlight];
#pragma unroll
        for (std::uint32_t i = 0; i < kSlotsInFlight; ++i) {
            const bool leaf = is_leaf(slots[i]);
            const uint4 whole =
                leaf ? *reinterpret_cast<const uint4*>(view.leaves + (slots[i] - view.first_leaf)) : uint4{};
            const bool bounded = !leaf && slots[i] != LocalSlotsView::kNone;
            first[i] =
                bounded ? *reinterpret_cast<const uint2*>(view.own.bounds + column(slots[i])) : uint2{whole.x, whole.y};
            leaf_parents[i] = whole.z;
        }
        std::uint32_t
            second[kSlotsInFlight];  // distance of a leaf's neighbour, or parent that the bounds do not contain
#pragma unroll
        for (std::uint32_t i = 0; i < kSlotsInFlight; ++i) {
            const bool leaf = is_leaf(slots[i]);
            const std::uint32_t* const address =
                leaf ? &view.own.bounds[first[i].x].upper : view.own.parents + slots[i];
            const bool wanted =
                leaf ? first[i].x < view.first_leaf_column
                     : slots[i] != LocalSlotsView::kNone && !StoredBounds{first[i].x, first[i].y}.has_parent();
            // If the neighbour of a leaf is a leaf, too, the leaf is reached only if the neighbour
            // is a source. If a leaf has no in-arcs, its arc leads from the leaf itself.
            const bool is_apart = leaf && (!source.contains_number(leaf_parents[i]) || first[i].x == column(slots[i]));
            const std::uint32_t default_distance = is_apart ? Distance::kInfinity : 0;
            second[i] = wanted ? *address : default_distance;
        }
#pragma unroll
        for (std::uint32_t i = 0; i < kSlotsInFlight; ++i) {
            const StoredBounds bounds{first[i].x, first[i].y};
            if (is_leaf(slots[i]))
                results[i] = {of_leaf(second[i], first[i].y), SlotResult::kVertex + leaf_parents[i]};
            else
                results[i] = {known_distance<Distance>(bounds.upper),
                              bounds.has_parent() ? bounds.parent() : second[i]};
        }
    }

private:
    [[nodiscard]] __device__ bool is_leaf(std::uint32_t slot) const
    {
        return slot >= view.first_leaf && slot != LocalSlotsView::kNone;
    }
    [[nodiscard]] __device__ std::uint32_t column(std::uint32_t slot) const
    {
        return Gpus<kReach>::column(view, slot);
    }

    [[nodiscard]] __device__ std::uint32_t of_leaf(std::uint32_t upper, std::uint32_t weight) const
    {
        const std::uint32_t neighbour_distance = known_distance<Distance>(upper);
        const std::uint32_t distance = Distance::sum(neighbour_distance, weight);
        if (Distance::kOverflows && distance == Distance::kInfinity && neighbour_distance != Distance::kInfinity)
            view.summary->overflow = 1;
        return distance;
    }
};

/// Writes the results of a search.
template <typename Distance, Reach kReach>
void launch_write_results(const SsspView& view, SsspSource source, const Stream& stream)
{
    launch_write_results<Distance>(view.graph, SlotResults<Distance, kReach>{view, source},
                                   {view.result_distances, view.result_parents, &view.summary->reached}, source,
                                   stream);
}

}  // namespace wayfront::gpu::sssp
