#include "graph/large_diameter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wayfront {

namespace {

constexpr std::size_t kMostVertices = std::size_t{1} << 16;
// In a mesh of two dimensions, the sample has 127 levels or more, in the roads of the north-eastern
// USA 120 or more, in a cube from a corner 73; in a random graph of two neighbours a vertex, and in
// social networks, fewer than 20.
constexpr std::size_t kManyLevels = 64;

struct SampleLimits
{
    std::size_t vertices = kMostVertices;
    std::size_t levels = ~std::size_t{0};

    [[nodiscard]] std::uint64_t arcs() const { return std::uint64_t{16} * vertices; }
    /// A search of fewer vertices may be that of a small component, which says nothing about others.
    [[nodiscard]] std::size_t enough_vertices() const { return vertices / 16; }
};

SearchSample search_from(const CsrView& lists, std::uint32_t source, const SampleLimits& limits,
                         std::vector<bool>& visited)
{
    std::vector<std::uint32_t> queue{source};
    visited[source] = true;
    std::size_t levels = 0;
    std::uint64_t arcs = 0;
    std::size_t begin = 0;
    for (; begin < queue.size() && levels < limits.levels; ++levels) {
        for (const std::size_t end = queue.size(); begin < end; ++begin) {
            const std::uint64_t last = lists.end(queue[begin]);
            for (std::uint64_t i = lists.begin(queue[begin]); i < last; ++i) {
                if (queue.size() >= limits.vertices || ++arcs > limits.arcs()) return {queue.size(), levels};
                const std::uint32_t neighbour = lists.neighbours[i];
                if (visited[neighbour]) continue;
                visited[neighbour] = true;
                queue.push_back(neighbour);
            }
        }
    }
    return {.vertices = queue.size(), .levels = levels, .complete = begin == queue.size()};
}

SearchSample longest_search(const CsrView& lists, const SampleLimits& limits)
{
    if (lists.lists == 0) return {.complete = true};
    std::vector<bool> visited(lists.lists);
    SearchSample longest;
    // Long lists come first, short ones last.
    const std::array sources{std::uint32_t{0}, lists.lists / 2, lists.lists / 3, lists.lists / 4 * 3};
    for (const std::uint32_t source : sources) {
        if (visited[source]) continue;
        const SearchSample sample = search_from(lists, source, limits, visited);
        if (longest.vertices == 0 || sample.levels > longest.levels) longest = sample;
        // A dense part takes all arcs of a sample, and says nothing about what hangs on it.
        const bool is_enough =
            sample.complete ? sample.vertices >= limits.enough_vertices() : sample.vertices >= limits.vertices;
        if (longest.levels >= limits.levels || is_enough) break;
    }
    return longest;
}

}  // namespace

SearchSample sample_search(const CsrView& lists, std::size_t most_vertices)
{
    return longest_search(lists, {.vertices = most_vertices});
}

std::size_t sampled_levels(const CsrView& lists, std::size_t most)
{
    return longest_search(lists, {.levels = most}).levels;
}

bool has_large_diameter(const CsrView& lists)
{
    return sampled_levels(lists, kManyLevels) >= kManyLevels;
}

}  // namespace wayfront
