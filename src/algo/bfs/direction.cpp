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

}  // namespace wayfront::algo
