#include "graph/io/mirror.hpp"

#include <algorithm>
#include <tuple>

namespace wayfront::io {

std::optional<HalfEdge> first_without_mirror(std::vector<HalfEdge> halves)
{
    std::erase_if(halves, [](const HalfEdge& half) { return half.source == half.target; });
    // Sorting puts the halves of equal edges side by side, first the halves in the list of the
    // smaller vertex.
    const auto edge = [](const HalfEdge& half) {
        return std::tuple(std::min(half.source, half.target), std::max(half.source, half.target), half.weight);
    };
    const auto turned = [](const HalfEdge& half) { return half.source > half.target; };
    std::ranges::sort(halves, {},
                      [&](const HalfEdge& half) { return std::tuple(edge(half), turned(half), half.place); });

    std::optional<HalfEdge> first;
    for (auto begin = halves.begin(); begin != halves.end();) {
        const auto end =
            std::find_if(begin, halves.end(), [&](const HalfEdge& half) { return edge(half) != edge(*begin); });
        const auto middle = std::find_if(begin, end, turned);
        // If the numbers of the two kinds differ, the last half of the more frequent kind has no
        // mirror.
        const auto forward = middle - begin;
        const auto backward = end - middle;
        if (forward != backward) {
            const HalfEdge& without = forward > backward ? middle[-1] : end[-1];
            if (!first || without.place < first->place) first = without;
        }
        begin = end;
    }
    return first;
}

}  // namespace wayfront::io
