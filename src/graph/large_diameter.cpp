#include "graph/large_diameter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wayfront {

namespace {

constexpr std::size_t kMostVertices = std::size_t{1} << 16;
constexpr std::uint64_t kMostArcs = std::uint64_t{1} << 20;
// A search of fewer vertices may be that of a small component, which says nothing about others.
constexpr std::size_t kEnoughVertices = kMostVertices / 16;
// In a mesh of two dimensions, the sample has 127 levels or more, in the roads of the north-eastern
// USA 120 or more, in a cube from a corner 73; in a random graph of two neighbours a vertex, and in
// social networks, fewer than 20.
constexpr std::size_t kManyLevels = 64;

struct Sample
{
    std::size_t vertices = 0;
    std::size_t levels = 0;
};

Sample search_from(const CsrView& lists, std::uint32_t source, std::size_t most_levels, std::vector<bool>& visited)
{
    std::vector<std::uint32_t> queue{source};
    visited[source] = true;
    Sample sample;
    std::uint64_t arcs = 0;
    for (std::size_t begin = 0; begin < queue.size() && sample.levels < most_levels; ++sample.levels) {
        for (const std::size_t end = queue.size(); begin < end; ++begin) {
            const std::uint64_t last = lists.end(queue[begin]);
            for (std::uint64_t i = lists.begin(queue[begin]); i < last; ++i) {
                if (queue.size() >= kMostVertices || ++arcs > kMostArcs) return {queue.size(), sample.levels};
                const std::uint32_t neighbour = lists.neighbours[i];
                if (visited[neighbour]) continue;
                visited[neighbour] = true;
                queue.push_back(neighbour);
            }
        }
    }
    sample.vertices = queue.size();
    return sample;
}

}  // namespace

std::size_t sampled_levels(const CsrView& lists, std::size_t most)
{
    if (lists.lists == 0) return 0;
    std::vector<bool> visited(lists.lists);
    std::size_t levels = 0;
    // Long lists come first, short ones last.
    const std::array sources{std::uint32_t{0}, lists.lists / 2, lists.lists / 3, lists.lists / 4 * 3};
    for (const std::uint32_t source : sources) {
        if (visited[source]) continue;
        const Sample sample = search_from(lists, source, most, visited);
        levels = std::max(levels, sample.levels);
        if (levels >= most || sample.vertices >= kEnoughVertices) break;
    }
    return levels;
}

bool has_large_diameter(const CsrView& lists)
{
    return sampled_levels(lists, kManyLevels) >= kManyLevels;
}

}  // namespace wayfront
