// Which way a level searches: the switch between top-down and bottom-up.
//
// T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters (University of Tsukuba, 2013), section 2.3, after S. Beamer,
// K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC 2012, doi:10.1109/SC.2012.50: top-down until the frontier's edges exceed
// |E| / alpha, then bottom-up until the frontier has fewer than |V|^2 / (beta |E|) vertices.
#pragma once

#include <cstdint>
#include <string_view>

namespace wayfront::algo {

enum class Direction { top_down, bottom_up };

enum class DirectionChoice { automatic, top_down, bottom_up };

/// "auto", "top-down" or "bottom-up"; throws InputError.
DirectionChoice parse_direction(std::string_view text);
[[nodiscard]] std::string_view to_string(Direction direction);

/// What the switch looks at: sums over all ranks.
struct FrontierCounts
{
    std::uint64_t vertices = 0;   // found in the previous level
    std::uint64_t out_edges = 0;  // of these vertices
};

struct DirectionPolicy
{
    DirectionChoice choice = DirectionChoice::automatic;
    double alpha = 10;  // the paper's
    double beta = 14;   // the paper's

    /// The direction of the next level. `vertices` and `edges` are the graph's (vertices with edges; an undirected edge counts once).
    [[nodiscard]] Direction next(Direction last, const FrontierCounts& frontier, double vertices, double edges) const;
};

}  // namespace wayfront::algo
