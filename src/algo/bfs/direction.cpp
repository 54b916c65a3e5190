#include "algo/bfs/direction.hpp"

#include <string>

#include "base/error.hpp"

namespace wayfront::algo {

DirectionChoice parse_direction(std::string_view text)
{
    if (text == "auto") return DirectionChoice::automatic;
    if (text == "top-down") return DirectionChoice::top_down;
    if (text == "bottom-up") return DirectionChoice::bottom_up;
    throw InputError("--direction: expected auto, top-down or bottom-up, found '" + std::string(text) + "'");
}

std::string_view to_string(Direction direction)
{
    return direction == Direction::top_down ? "top-down" : "bottom-up";
}

Direction DirectionPolicy::next(Direction last, const FrontierCounts& frontier, double vertices, double edges) const
{
    if (choice == DirectionChoice::top_down) return Direction::top_down;
    if (choice == DirectionChoice::bottom_up) return Direction::bottom_up;
    if (last == Direction::top_down) return static_cast<double>(frontier.out_edges) > edges / alpha ? Direction::bottom_up : Direction::top_down;
    return static_cast<double>(frontier.vertices) < vertices * vertices / (beta * edges) ? Direction::top_down : Direction::bottom_up;
}

}  // namespace wayfront::algo
