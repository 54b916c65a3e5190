// The choices between pushes and pulls, and between the passes of pulls, from counts that all GPUs
// have. Needs no nvcc.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// Vertices that are nearer than this relax all their arcs before pulls; 0: none. `large`: the nearest
/// vertex of large degree. `least`: the weight of the source's lightest arc.
[[nodiscard]] WAYFRONT_HD inline std::uint32_t end_of_near(const SsspCounts& large, std::uint32_t least)
{
    return large.nearest != kNoDistance && large.nearest > least ? static_cast<std::uint32_t>(large.nearest) : 0;
}

/// The most vertices, and arcs of all of them, that relax their arcs because they are nearer than all
/// vertices of large degree.
inline constexpr std::uint32_t kMostNear = 256;
inline constexpr std::uint32_t kMostNearArcs = 1 << 15;

/// Whether these vertices relax their arcs; `near` counts them and their arcs.
[[nodiscard]] WAYFRONT_HD inline bool near_are_few(std::uint32_t near_end, const SsspCounts& near)
{
    return near_end > 0 && near.found <= kMostNear && near.work <= kMostNearArcs;
}

/// The rounds of pushes that follow pulls begin here; rounds 0 and 1 are those of near vertices.
inline constexpr std::uint32_t kFirstRoundOfImproved = 2;

/// How far pulls have come.
struct PullProgress
{
    WAYFRONT_HD explicit PullProgress(std::uint32_t settled_below) : settled(settled_below) {}

    /// `counts`: of the last pass.
    [[nodiscard]] static WAYFRONT_HD bool goes_on(const SsspCounts& counts)
    {
        return counts.work > 0 && counts.found > 0;
    }

    /// Whether the vertices that the last pass has improved may push instead of another pass: many
    /// vertices are open, and the mean degree promises that the improved ones have few arcs. The first
    /// pass does not collect them.
    [[nodiscard]] WAYFRONT_HD bool may_push(const SsspCounts& counts, const SsspView& view) const
    {
        return number > 0 && counts.found >= view.open_for_push && counts.work * view.mean_degree <= most_arcs(counts);
    }
    /// Whether they have few arcs indeed.
    [[nodiscard]] static WAYFRONT_HD bool few_arcs(const SsspCounts& counts, std::uint64_t arcs)
    {
        return arcs <= most_arcs(counts);
    }

    /// Begins the next pass: what may still change lies behind what has just changed.
    WAYFRONT_HD void pass(const SsspCounts& counts)
    {
        const auto changed = static_cast<std::uint32_t>(counts.nearest);
        settled = changed > settled ? changed : settled;
        ++number;
    }

    std::uint32_t settled;     // distances below are final
    std::uint32_t number = 0;  // of the last pass

private:
    /// The most arcs, for each open vertex, of the vertices that a pull has improved if these are to
    /// push again. A pass reads a few words for each open vertex, and several passes would follow.
    static constexpr std::uint32_t kArcsOfOpen = 8;

    [[nodiscard]] static WAYFRONT_HD std::uint64_t most_arcs(const SsspCounts& counts)
    {
        return counts.found * kArcsOfOpen;
    }
};

}  // namespace wayfront::gpu::sssp
