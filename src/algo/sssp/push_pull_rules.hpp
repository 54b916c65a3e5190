// The choices of push-pull (sssp_loop.hpp), from numbers that all ranks have. The model of clusters uses the same.
#pragma once

namespace wayfront::algo {

/// Pulls begin when the settled vertices have a larger share of the arcs.
inline constexpr double kPushShare = 0.5;

/// Before the first pull, the nearest vertices push their whole lists, if these have at most this share of the arcs
/// together.
inline constexpr double kNearestShare = 0.001;

/// The cost of a pushed arc, in units of a pulled one, as measured on Kronecker graphs.
inline constexpr double kPushedArcCost = 4;

/// Whether the changed vertices push from now on: their arcs cost less than the next pull, which reads about as many
/// arcs as the last one.
[[nodiscard]] inline bool ends_pulls(double changed_arcs, double pulled_arcs)
{
    return changed_arcs * kPushedArcCost < pulled_arcs;
}

/// In a window, a vertex of the mean degree at the ends of arcs, which was just reached, should relax few arcs: of
/// uniform weights, this share of them.
inline constexpr double kWindowArcs = 2;
[[nodiscard]] inline double window_share(double degree_at_ends)
{
    return kWindowArcs / degree_at_ends;
}

/// The width of windows. `weight_at_share`: the weight that window_share() of the arcs are below.
[[nodiscard]] inline double window_width(double degree_at_ends, double mean_weight, double weight_at_share)
{
    const double by_mean = 2 * kWindowArcs * mean_weight / degree_at_ends;
    // A few heavy weights raise the mean, and nothing else.
    constexpr double heavy_tail = 0.5;
    return weight_at_share > 0 && weight_at_share < heavy_tail * by_mean ? weight_at_share : by_mean;
}

/// Bytes in 1.5D, which the program does not have: of a push, a number at the owner, a distance and a parent; of a
/// question for a distance and its answer.
inline constexpr double kPathPushBytes = 16;
inline constexpr double kPathQueryBytes = 8;

/// Whether a pull of a 1.5D search queries the distances at the ends of `queries` arcs, instead of receiving
/// `pushes` pushed distances.
[[nodiscard]] inline bool prefers_path_queries(double pushes, double queries)
{
    return queries * kPathQueryBytes < pushes * kPathPushBytes;
}

}  // namespace wayfront::algo
