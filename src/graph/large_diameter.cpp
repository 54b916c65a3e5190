#include "graph/large_diameter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wayfront {

namespace {

constexpr std::size_t kMostVertices = std::size_t{1} << 16;
struct SampleLimits
{
    std::size_t vertices = kMostVertices;
    std::size_t levels = ~std::size_t{0};

    [[nodiscard]] std::uint64_t arcs() const { return std::uint64_t{16} * vertices; }
    /// A search of fewer vertices may be that of a small component, which says nothing about others.
    [[nodiscard]] std::size_t enough_vertices() const { return vertices / 16; }
};

/// Adds the vertices that it finds to `visited`, and returns them in `queue`.
SearchSample search_from(const CsrView& lists, std::uint32_t source, const SampleLimits& limits,
                         std::vector<bool>& visited, std::vector<std::uint32_t>& queue)
{
    queue.assign(1, source);
    visited[source] = true;
    std::size_t levels = 0;
    std::uint64_t arcs = 0;
    std::size_t begin = 0;
    for (; begin < queue.size() && levels < limits.levels; ++levels) {
        for (const std::size_t end = queue.size(); begin < end; ++begin) {
            const std::uint64_t last = lists.end(queue[begin]);
            for (std::uint64_t i = lists.begin(queue[begin]); i < last; ++i) {
                if (queue.size() >= limits.vertices || ++arcs > limits.arcs())
                    return {.vertices = queue.size(), .levels = levels};
                const std::uint32_t neighbour = lists.neighbours[i];
                if (visited[neighbour]) continue;
                visited[neighbour] = true;
                queue.push_back(neighbour);
            }
        }
    }
    return {.vertices = queue.size(), .levels = levels, .complete = begin == queue.size()};
}

/// Long lists come first, short ones last. No round shares, since parts of generated graphs often have round sizes.
std::array<std::uint32_t, 4> sources_of(const CsrView& lists)
{
    const auto at = [&lists](double share) { return static_cast<std::uint32_t>(share * lists.lists); };
    return {0, at(0.618), at(0.382), at(0.854)};
}

}  // namespace

SearchSample sample_search(const CsrView& lists, std::size_t most_vertices)
{
    if (lists.lists == 0) return {.complete = true};
    const SampleLimits limits{.vertices = most_vertices};
    std::vector<bool> visited(lists.lists);
    std::vector<std::uint32_t> queue;
    SearchSample largest;
    std::size_t most_levels = 0;
    bool all_complete = true;
    const auto search = [&](std::uint32_t source) {
        if (visited[source]) return;  // a complete search has found it
        const SearchSample sample = search_from(lists, source, limits, visited, queue);
        most_levels = std::max(most_levels, sample.levels);
        if (sample.vertices > largest.vertices) largest = sample;
        if (sample.complete) return;
        all_complete = false;
        for (const std::uint32_t vertex : queue) visited[vertex] = false;
    };
    for (const std::uint32_t source : sources_of(lists)) search(source);
    // A large component may lie between small ones.
    constexpr int more_sources = 60;
    constexpr double golden_section = 0.6180339887498949;
    for (int i = 0; i < more_sources && largest.vertices < limits.enough_vertices(); ++i) {
        const double share = std::fmod((i + 3) * golden_section, 1.0);
        search(static_cast<std::uint32_t>(share * lists.lists));
    }
    largest.most_levels = most_levels;
    largest.complete = all_complete;
    return largest;
}

bool is_clustered(const CsrView& lists, std::size_t most_vertices)
{
    constexpr std::uint64_t followed = 8;
    constexpr std::uint32_t spread = 2654435761U;
    constexpr double least_share = 1.0 / 64;
    constexpr std::size_t least_vertices = 32;
    constexpr double few_leave = 0.25;
    if (lists.lists == 0) return false;
    const auto all_arcs = static_cast<double>(lists.end(lists.lists - 1));
    std::vector<std::uint32_t> queue;
    for (const std::uint32_t source : sources_of(lists)) {
        std::vector<bool> visited(lists.lists);
        std::vector<bool> inside(lists.lists);  // whether the arcs of a vertex were followed
        visited[source] = true;
        queue.assign(1, source);
        double arcs = 0;         // arcs of the vertices inside
        double arcs_inside = 0;  // arcs between two vertices inside
        for (std::size_t next = 0; next < queue.size() && queue.size() < most_vertices && 2 * arcs < all_arcs; ++next) {
            const std::uint32_t vertex = queue[next];
            const std::uint64_t degree = lists.degree(vertex);
            // The lists of a clique are almost the same: each begins at another place.
            const std::uint64_t step = std::max<std::uint64_t>(1, degree / followed);
            double seen = 0;
            double back = 0;
            for (std::uint64_t i = (vertex * spread >> 16U) % step; i < degree; i += step) {
                const std::uint32_t neighbour = lists.neighbours[lists.begin(vertex) + i];
                ++seen;
                back += inside[neighbour] ? 1 : 0;
                if (visited[neighbour]) continue;
                visited[neighbour] = true;
                queue.push_back(neighbour);
            }
            inside[vertex] = true;
            arcs += static_cast<double>(degree);
            if (seen > 0) arcs_inside += 2 * static_cast<double>(degree) * back / seen;
            if (next >= least_vertices && arcs >= least_share * all_arcs && 2 * arcs < all_arcs &&
                arcs - arcs_inside < few_leave * arcs)
                return true;
        }
    }
    return false;
}

std::size_t sampled_levels(const CsrView& lists, std::size_t most)
{
    if (lists.lists == 0) return 0;
    const SampleLimits limits{.levels = most};
    std::vector<bool> visited(lists.lists);
    std::vector<std::uint32_t> queue;
    std::size_t levels = 0;
    for (const std::uint32_t source : sources_of(lists)) {
        if (visited[source]) continue;
        const SearchSample sample = search_from(lists, source, limits, visited, queue);
        levels = std::max(levels, sample.levels);
        if (levels >= most || sample.vertices >= limits.enough_vertices()) break;
    }
    return levels;
}

bool has_large_diameter(const CsrView& lists)
{
    return sampled_levels(lists, kLevelsOfLargeDiameter) >= kLevelsOfLargeDiameter;
}

}  // namespace wayfront
