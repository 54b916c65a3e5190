// The direction of a level: the switch between top-down and bottom-up.
//
// T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters (University of
// Tsukuba, 2013), section 2.3, after S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing
// breadth-first search", SC 2012, doi:10.1109/SC.2012.50: top-down until the frontier's edges
// exceed |E| / alpha, then bottom-up until the frontier has fewer than |V|^2 / (beta |E|) vertices.
//
// Two rules beside the paper's are for graphs with dense parts that few edges join, such as cliques
// in a chain. A search turns top-down again at the latest when the frontier has a single vertex. A
// switch to bottom-up has failed if its first level finds fewer vertices than the frontier had: it
// multiplies the bound of |E| / alpha by eight for the rest of the search. So does a switch that is
// not made, because a sample of the frontier's edges shows that it would fail: at most one sampled
// edge leads to an unvisited vertex, although the unvisited vertices have more edges than the frontier.
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
    std::uint64_t vertices = 0;   // the vertices that the previous level found
    std::uint64_t out_edges = 0;  // the out-edges of these vertices
};

/// The switch for one graph, on the host and in kernels.
struct DirectionBounds
{
    DirectionChoice choice = DirectionChoice::automatic;
    double bottom_up_from_edges = 0;     // top-down until a frontier has more out-edges than this
    double top_down_below_vertices = 0;  // bottom-up until a frontier has fewer vertices than this
    double arcs = 0;                     // the number of arcs of the graph

    /// Whether a switch to bottom-up has failed, by the frontier of its first level and the next frontier.
    [[nodiscard]] WAYFRONT_HD static constexpr bool is_failed_switch(std::uint64_t frontier_vertices,
                                                                     std::uint64_t found_vertices)
    {
        return found_vertices < frontier_vertices;
    }

    /// The factor of bottom_up_from_edges after so many failed switches to bottom-up.
    [[nodiscard]] WAYFRONT_HD static constexpr double patience(std::uint32_t failed_switches)
    {
        constexpr std::uint32_t most = 20;
        return static_cast<double>(std::uint64_t{1} << 3 * (failed_switches < most ? failed_switches : most));
    }

    /// The direction of the next level.
    [[nodiscard]] WAYFRONT_HD Direction next(Direction last, const FrontierCounts& frontier,
                                             std::uint32_t failed_switches = 0) const
    {
        if (choice == DirectionChoice::top_down) return Direction::top_down;
        if (choice == DirectionChoice::bottom_up) return Direction::bottom_up;
        if (last == Direction::top_down)
            return static_cast<double>(frontier.out_edges) > patience(failed_switches) * bottom_up_from_edges
                       ? Direction::bottom_up
                       : Direction::top_down;
        return static_cast<double>(frontier.vertices) < top_down_below_vertices ? Direction::top_down
                                                                                : Direction::bottom_up;
    }
};

/// The directions of the levels of one search, one after the other.
class SearchDirection
{
public:
    explicit SearchDirection(const DirectionBounds& bounds) : bounds_(bounds) {}

    /// The direction of the last level; top-down before the first level.
    [[nodiscard]] Direction last() const { return last_; }

    /// Chooses the direction of the level that `frontier` begins.
    Direction next(const FrontierCounts& frontier)
    {
        return next(frontier, [] { return true; });
    }
    /// The same, if frontier_reaches_unvisited() samples whether edges of the frontier lead to unvisited vertices.
    template <typename ReachesUnvisited>
    Direction next(const FrontierCounts& frontier, ReachesUnvisited&& frontier_reaches_unvisited)
    {
        if (just_switched_ && DirectionBounds::is_failed_switch(vertices_, frontier.vertices)) ++failed_switches_;
        Direction chosen = bounds_.next(last_, frontier, failed_switches_);
        explored_ += static_cast<double>(frontier.out_edges);
        const bool turns = chosen == Direction::bottom_up && last_ == Direction::top_down;
        if (turns && bounds_.choice == DirectionChoice::automatic &&
            bounds_.arcs - explored_ > static_cast<double>(frontier.out_edges) && !frontier_reaches_unvisited()) {
            ++failed_switches_;
            chosen = Direction::top_down;
        }
        just_switched_ = chosen == Direction::bottom_up && last_ == Direction::top_down;
        vertices_ = frontier.vertices;
        return last_ = chosen;
    }

private:
    DirectionBounds bounds_;
    Direction last_ = Direction::top_down;
    bool just_switched_ = false;         // whether the last level was the first bottom-up one in a row
    std::uint64_t vertices_ = 0;         // the size of the last level's frontier
    std::uint32_t failed_switches_ = 0;  // among them those that were not made
    double explored_ = 0;                // out-edges of the frontiers that were counted
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
        constexpr double more_than_one_vertex = 2;
        return {choice, graph.edges() / alpha_for(graph),
                std::max(more_than_one_vertex, graph.vertices * graph.vertices / (beta * graph.edges())), graph.arcs};
    }
};

}  // namespace wayfront::algo
