// An arc, and the arrays that a graph with weights (gpu/graph/arc_lists.hpp) allocates. Free of
// CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/graph/device_graph_plan.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu {

/// An arc. Its weight is stored as bits: those of a nonnegative float, or an unsigned whole number.
/// The bits have the order of the weights.
struct alignas(8) Arc
{
    std::uint32_t end;  // column of the neighbour
    std::uint32_t weight;
};

/// The bits of an infinite weight of each type.
inline constexpr std::uint32_t kInfiniteFloat = 0x7F800000;
inline constexpr std::uint32_t kInfiniteWhole = ~0U;

inline constexpr std::uint32_t kHeadArcs = 4;

/// The places, arcs and heads of all lists.
struct ArcArraysPlan : MemoryPlan
{
    /// `arcs`: number of arcs, including padding.
    ArcArraysPlan(std::size_t slots, std::size_t arcs)
        : lists(array<ListPlace>("places of lists", slots)),
          list_arcs(array<Arc>("arcs", arcs)),
          heads(array<Arc>("lightest arcs", slots, kHeadArcs))
    {
    }
    /// The plan with the most memory for lists of `arcs` arcs, not counting padding.
    static ArcArraysPlan most(std::size_t slots, std::size_t arcs)
    {
        return {slots, arcs + std::size_t{kListAlign - 1} * slots};
    }

    PlannedArray<ListPlace> lists;
    PlannedArray<Arc> list_arcs, heads;
};

/// The weights of edges in the host's order, while lists are copied.
struct PlainWeightsPlan : MemoryPlan
{
    explicit PlainWeightsPlan(std::size_t edges) : weights(array<std::uint32_t>("weights", edges)) {}

    PlannedArray<std::uint32_t> weights;
};

}  // namespace wayfront::gpu
