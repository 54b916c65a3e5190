// The parameters that a search by pushes and pulls chooses by the graph: whether it pulls, and the
// widths of its windows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "comm/communicator.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/sssp/search.hpp"

namespace wayfront::gpu::sssp {

/// Mean degree below which near-far searches a graph, since paths are long. Near-far also searches
/// graphs of larger degree if a sample of searches shows that their paths are long.
inline constexpr std::size_t kArcsForNearFar = 8;

/// Number of searches that repay dividing a graph whose distances do not fit shared memory. The
/// host divides grid:4900x4900 in 8 s on 16 cores; a breadth-first search then takes 40 ms less.
inline constexpr std::int64_t kSearchesOfLargeGraphs = 256;

/// The word of a distance of `units` units; at least the smallest distance above 0.
[[nodiscard]] inline std::uint32_t as_distance(WeightType type, double units)
{
    if (type == WeightType::float32) return std::max(std::bit_cast<std::uint32_t>(static_cast<float>(units)), 1U);
    const double most = std::numeric_limits<std::uint32_t>::max() - 1.0;
    return static_cast<std::uint32_t>(std::clamp(units, 1.0, most));
}

/// The first slot of the leaves on all ranks: from this slot on, a vertex of any rank has one arc
/// or none. Collective.
inline std::uint32_t common_first_leaf(const comm::Communicator& world, const ArcListsView& arcs)
{
    const std::uint32_t align = arcs.columns.ranks > 1 ? kTileSlots : 64;
    const std::uint32_t first = world.all_reduce(arcs.first_leaf, comm::Reduction::max);
    return (first + align - 1) / align * align;
}

/// The choices for a graph, with the values that the tuning sets.
struct SearchChoices
{
    /// Collective.
    SearchChoices(const comm::Communicator& world, const ArcListsView& lists, const SsspGraph& graph,
                  const SsspTuning& tuning)
    {
        std::array<double, 2> sums{static_cast<double>(lists.arcs), lists.end_degrees};
        world.all_reduce(std::span<double>(sums), comm::Reduction::sum);
        arcs = sums[0];
        degree = arcs / std::max<double>(1, static_cast<double>(graph.connected_vertices));
        pull_from = lists.in.lists != nullptr ? share_for_pulls(degree >= kDegreeForPulls, tuning) : kNothingPulled;
        large_diameter = graph.large_diameter;
        mean_weight = graph.weight_sum > 0 ? graph.weight_sum / arcs : 1;
        // With pulls, a window should have so few arcs that a vertex of the window hardly ever
        // finds a shorter path later. If all degrees are alike, a vertex has about two arcs of
        // uniform weights in a window of 4 mean weights / degree. If arcs lead to vertices of large
        // degree, windows are narrower. In a small graph they are wider, since a step with few arcs
        // takes as long as one with more.
        constexpr double arcs_of_long_steps = std::int64_t{1} << 27;
        const double wider = std::sqrt(std::clamp(arcs_of_long_steps / std::max(arcs, 1.0), 1.0, 64.0));
        const double end_degree = arcs > 0 ? sums[1] / arcs : 0;  // mean degree at the end of an arc
        const double narrow = std::min(4 / degree, 20 * wider / std::max(end_degree, 1.0));
        push_width = tuning.width.value_or((pulls() ? narrow : 12) * mean_weight);
        // Sums of floating-point numbers may differ between ranks in their last bits, so rank 0
        // sends its values.
        std::array<double, 2> agreed{push_width, arcs};
        world.broadcast(std::span<double>(agreed), 0);
        push_width = agreed[0];
        arcs = agreed[1];
    }

    /// The lists that a search needs. Pulls read lists of in-arcs. `pays`: whether searches with pulls
    /// are faster in this graph.
    [[nodiscard]] static ArcDirections directions(bool pays, const SsspTuning& tuning)
    {
        return share_for_pulls(pays, tuning) <= 1 ? ArcDirections::both : ArcDirections::out;
    }

    [[nodiscard]] bool pulls() const { return pull_from <= 1; }
    [[nodiscard]] std::uint64_t pull_from_arcs() const { return static_cast<std::uint64_t>(pull_from * arcs); }
    [[nodiscard]] bool suits_near_far() const
    {
        return large_diameter || (!pulls() && degree < static_cast<double>(kArcsForNearFar));
    }

    double arcs = 0;       // number of arcs of all ranks
    double degree = 0;     // mean degree
    double pull_from = 0;  // share of all arcs at which pulls begin; above 1: no pulls
    double push_width = 0;
    double mean_weight = 0;
    bool large_diameter = false;

private:
    static constexpr double kNothingPulled = 2;

    // Mean degree from which on pulls pay: most vertices then have several arcs to choose from.
    static constexpr double kDegreeForPulls = 8;

    /// The share at which pulls begin. On Kronecker graphs of scales 24 to 28, searches with shares
    /// up to 0.4 took longer than with 0.5; on two GPUs, searches with 0.6 took 1% to 2% longer.
    [[nodiscard]] static double share_for_pulls(bool pays, const SsspTuning& tuning)
    {
        constexpr double share = 0.5;
        if (tuning.cutoff) return kNothingPulled;  // a pull reaches vertices beyond the cutoff
        return tuning.pull_from.value_or(pays ? share : kNothingPulled);
    }
};

}  // namespace wayfront::gpu::sssp
