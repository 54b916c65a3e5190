#include "graph/compaction.hpp"

#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/joined_lists.hpp"
#include "graph/large_numbers.hpp"

namespace wayfront {
namespace {

constexpr Vertex kLargest = std::numeric_limits<Vertex>::max();

std::vector<Vertex> to_vector(const HostBuffer<Vertex>& list)
{
    return {list.begin(), list.end()};
}

/// Compares with a map, which shares no code with the lists.
void check(std::vector<Edge> edges)
{
    std::set<Vertex> named;
    std::vector<PackedEdge> packed;
    std::vector<Vertex> list;
    constexpr std::size_t block = 1;
    for (const Edge edge : edges) {
        named.insert({edge.source, edge.target});
        packed.push_back(PackedEdge::pack(LargeNumbers::stored(edge.source, block, list),
                                          LargeNumbers::stored(edge.target, block, list)));
    }
    LargeNumbers large_numbers;
    large_numbers.begin(block + 1);
    large_numbers.set(block, std::move(list));
    std::map<Vertex, Vertex> position;
    for (const Vertex v : named) position.emplace(v, static_cast<Vertex>(position.size()));
    const HostBuffer<Vertex> vertices = list_vertices(packed, large_numbers);
    EXPECT_EQ(to_vector(vertices), std::vector<Vertex>(named.begin(), named.end()));
    number_by_position(packed, large_numbers, vertices.span());
    for (std::size_t i = 0; i < edges.size(); ++i)
        ASSERT_EQ(packed[i].unpack(), (Edge{position.at(edges[i].source), position.at(edges[i].target)}));
}

TEST(Compaction, SmallLists)
{
    check({});
    check({{7, 7}});
    check({{0, kLargest}});
    check({{kLeastLarge, kLeastLarge - 1}, {kMaxVertices, kMaxVertices - 1}});
    check({{kLargest, kLargest - 1}, {5, 0}, {0, 5}, {5, 5}});
}

TEST(Compaction, NumbersAtRandomAndInCrowds)
{
    std::mt19937_64 random(3);
    std::vector<Edge> edges;
    for (int i = 0; i < 40000; ++i) {
        // Crowds of a few thousand numbers, one at each end of the range, and lone numbers between.
        const auto number = [&] {
            const auto word = static_cast<Vertex>(random());
            return word % 3 == 0 ? word & 0xFFF : word % 3 == 1 ? kLargest - (word & 0xFFF) : word & kLargest;
        };
        edges.push_back({number(), number()});
    }
    check(edges);
}

TEST(Compaction, JoinsAnyNumberOfLists)
{
    EXPECT_TRUE(joined_lists<Vertex>({}).empty());
    const std::vector<std::vector<Vertex>> lists{{1, 5, 9}, {}, {2, 5}, {9}, {0}};
    const std::vector<std::vector<Vertex>> expected{{1, 5, 9}, {1, 5, 9}, {1, 2, 5, 9}, {1, 2, 5, 9}, {0, 1, 2, 5, 9}};
    std::vector<std::span<const Vertex>> views;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        views.emplace_back(lists[i]);
        EXPECT_EQ(to_vector(joined_lists(views)), expected[i]);
    }
}

}  // namespace
}  // namespace wayfront
