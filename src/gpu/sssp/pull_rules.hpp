// The choices between pushes and pulls, and between two passes of pulls. They depend only on counts
// that all GPUs have. Needs no nvcc.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// Vertices that are nearer than the returned distance relax all their arcs before pulls; 0: no
/// vertex. `large`: counts of the vertices of large degree. `least`: weight of the source's lightest
/// arc.
[[nodiscard]] WAYFRONT_HD inline std::uint32_t end_of_near(const LargeCounts& large, std::uint32_t least)
{
    return large.nearest != kNoDistance && large.nearest > least ? static_cast<std::uint32_t>(large.nearest) : 0;
}

/// Near vertices (NearCounts) relax their arcs before pulls if there are at most kMostNear near
/// vertices, with at most kMostNearArcs arcs.
inline constexpr std::uint32_t kMostNear = 256;
inline constexpr std::uint32_t kMostNearArcs = 1 << 15;

/// Whether the near vertices relax their arcs.
[[nodiscard]] WAYFRONT_HD inline bool near_are_few(std::uint32_t near_end, const NearCounts& near)
{
    return near_end > 0 && near.vertices <= kMostNear && near.arcs <= kMostNearArcs;
}

/// Number of the first round of pushes that follow pulls. Rounds 0 and 1 are those of near
/// vertices.
inline constexpr std::uint32_t kFirstRoundOfImproved = 2;

/// The progress of pulls.
struct PullProgress
{
    WAYFRONT_HD explicit PullProgress(std::uint32_t settled_below) : settled(settled_below) {}

    /// `counts`: counts of the last pass.
    [[nodiscard]] static WAYFRONT_HD bool goes_on(const PullCounts& counts)
    {
        return counts.improved > 0 && counts.open > 0;
    }

    /// Whether the vertices that the last pass improved may push instead of another pass: many
    /// vertices are open, and by the mean degree the improved vertices have few arcs. The first
    /// pass does not collect improved vertices.
    [[nodiscard]] WAYFRONT_HD bool may_push(const PullCounts& counts, const SsspView& view) const
    {
        return number > 0 && counts.open >= view.open_for_push &&
               counts.improved * view.mean_degree <= most_arcs(counts);
    }
    /// Whether the number of arcs of the improved vertices is small enough for pushes.
    [[nodiscard]] static WAYFRONT_HD bool few_arcs(const PullCounts& counts, const ImprovedCounts& improved)
    {
        return improved.arcs <= most_arcs(counts);
    }

    /// Begins the next pass: `settled` grows to the smallest distance that the last pass changed.
    WAYFRONT_HD void pass(const PullCounts& counts)
    {
        const auto changed = static_cast<std::uint32_t>(counts.nearest);
        settled = changed > settled ? changed : settled;
        ++number;
    }

    std::uint32_t settled;     // smaller distances are final
    std::uint32_t number = 0;  // number of the last pass

private:
    /// Largest number of arcs of improved vertices, per open vertex, with which improved vertices
    /// push. A pass of pulls reads a few words for each open vertex, and several passes would
    /// follow.
    static constexpr std::uint32_t kArcsOfOpen = 8;

    [[nodiscard]] static WAYFRONT_HD std::uint64_t most_arcs(const PullCounts& counts)
    {
        return counts.open * kArcsOfOpen;
    }
};

}  // namespace wayfront::gpu::sssp
