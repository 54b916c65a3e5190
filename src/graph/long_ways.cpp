#include "graph/long_ways.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wayfront {

namespace {

constexpr std::size_t kMostSampled = std::size_t{1} << 16;
// In a mesh of two dimensions, the sample has 180 levels; in a random graph of two neighbours a
// vertex, and in social networks, fewer than 20.
constexpr std::size_t kLongFromLevels = 64;

struct Sample
{
    std::size_t vertices = 0;
    std::size_t levels = 0;
};

Sample search_from(const CsrView& lists, std::uint32_t source, std::vector<bool>& visited)
{
    std::vector<std::uint32_t> queue{source};
    visited[source] = true;
    Sample sample;
    for (std::size_t begin = 0; begin < queue.size() && queue.size() < kMostSampled; ++sample.levels) {
        for (const std::size_t end = queue.size(); begin < end; ++begin) {
            const std::uint32_t vertex = queue[begin];
            for (std::uint64_t i = lists.begin(vertex); i < lists.begin(vertex) + lists.degree(vertex); ++i) {
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

bool has_long_ways(const CsrView& lists)
{
    if (lists.lists == 0) return false;
    std::vector<bool> visited(lists.lists);
    // The first lists are the longest ones. A source in a small component says nothing about others.
    const std::array sources{std::uint32_t{0}, lists.lists / 2, lists.lists / 3, lists.lists / 4 * 3};
    for (const std::uint32_t source : sources) {
        if (visited[source]) continue;
        const Sample sample = search_from(lists, source, visited);
        if (sample.levels >= kLongFromLevels) return true;
        if (sample.vertices >= kMostSampled / 16) return false;
    }
    return false;
}

}  // namespace wayfront
