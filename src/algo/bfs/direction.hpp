// The direction of a level: the switch between top-down and bottom-up.
//
// T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters (University of
// Tsukuba, 2013), section 2.3, after S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing
// breadth-first search", SC 2012, doi:10.1109/SC.2012.50: top-down until the frontier's edges
// exceed |E| / alpha, then bottom-up until the frontier has fewer than |V|^2 / (beta |E|) vertices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/host_device.hpp"

namespace wayfront::algo {

/// More levels than any search has; one more still fits the type.
inline constexpr std::int32_t kNoMaxLevel = std::numeric_limits<std::int32_t>::max() - 1;

enum class Direction { top_down, bottom_up };

enum class DirectionChoice { automatic, top_down, bottom_up };

/// "auto", "top-down" or "bottom-up"; throws InputError.
DirectionChoice parse_direction(std::string_view text);
[[nodiscard]] std::string_view to_string(Direction direction);

/// The counts that the switch depends on: sums over all ranks.
struct FrontierCounts
{
    std::uint64_t vertices = 0;   // that the previous level found
    std::uint64_t out_edges = 0;  // of these vertices
};

/// The switch for one graph, on the host and in kernels.
struct DirectionBounds
{
    DirectionChoice choice = DirectionChoice::automatic;
    double bottom_up_from_edges = 0;     // top-down until a frontier has more out-edges than this
    double top_down_below_vertices = 0;  // bottom-up until a frontier has fewer vertices than this

    /// The direction of the next level.
    [[nodiscard]] WAYFRONT_HD Direction next(Direction last, const FrontierCounts& frontier) const
    {
        if (choice == DirectionChoice::top_down) return Direction::top_down;
        if (choice == DirectionChoice::bottom_up) return Direction::bottom_up;
        if (last == Direction::top_down)
            return static_cast<double>(frontier.out_edges) > bottom_up_from_edges ? Direction::bottom_up
                                                                                  : Direction::top_down;
        return static_cast<double>(frontier.vertices) < top_down_below_vertices ? Direction::top_down
                                                                                : Direction::bottom_up;
    }
};

/// A graph, as the rule for directions counts it.
struct GraphCounts
{
    double vertices = 0;  // with edges
    double arcs = 0;      // two for each undirected edge
    bool directed = false;

    [[nodiscard]] double edges() const { return directed ? arcs : arcs / 2; }
};

struct DirectionPolicy
{
    DirectionChoice choice = DirectionChoice::automatic;
    double alpha = 10;  // from the paper
    double beta = 14;   // from the paper
    // Whether graphs of few edges a vertex have a smaller alpha: bottom-up saves little there, since a vertex
    // inspects few edges at most.
    bool fits_alpha = false;

    /// The alpha that bounds() uses.
    [[nodiscard]] double alpha_for(const GraphCounts& graph) const
    {
        if (!fits_alpha || !(graph.vertices > 0)) return alpha;
        constexpr double least = 2;  // fitted, like its growth, to bench/results/bfs-alpha-by-degree.json
        return std::clamp(graph.arcs / graph.vertices - 1, std::min(least, alpha), alpha);
    }
    [[nodiscard]] DirectionBounds bounds(const GraphCounts& graph) const
    {
        return {choice, graph.edges() / alpha_for(graph), graph.vertices * graph.vertices / (beta * graph.edges())};
    }
};

}  // namespace wayfront::algo
