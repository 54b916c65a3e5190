#include "graph/bisection.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "support/random_numbers.hpp"

namespace wayfront {
namespace {

struct Lists
{
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> neighbours;
};

Lists make_lists(std::uint32_t vertices, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges)
{
    std::vector<std::vector<std::uint32_t>> lists(vertices);
    for (const auto& [a, b] : edges) {
        lists[a].push_back(b);
        lists[b].push_back(a);
    }
    Lists made{{0}, {}};
    for (const auto& list : lists) {
        made.neighbours.insert(made.neighbours.end(), list.begin(), list.end());
        made.offsets.push_back(made.neighbours.size());
    }
    return made;
}

/// The vertices of a square have random numbers.
Lists make_square(std::uint32_t side)
{
    std::vector<std::uint32_t> number(std::size_t{side} * side);
    std::iota(number.begin(), number.end(), 0U);
    RandomNumbers random(5);
    for (std::size_t i = number.size(); i > 1; --i) std::swap(number[i - 1], number[random.next() % i]);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t v = 0; v < side * side; ++v) {
        if ((v + 1) % side != 0) edges.emplace_back(number[v], number[v + 1]);
        if (v + side < side * side) edges.emplace_back(number[v], number[v + side]);
    }
    return make_lists(side * side, edges);
}

std::vector<std::uint32_t> part_of_vertices(const std::vector<std::uint32_t>& order, std::uint32_t parts)
{
    std::vector<std::uint32_t> part(order.size());
    for (std::uint32_t p = 0; p < parts; ++p)
        for (std::uint64_t i = begin_of_part(order.size(), parts, p); i < begin_of_part(order.size(), parts, p + 1);
             ++i)
            part[order[i]] = p;
    return part;
}

std::uint64_t cut_arcs(const Lists& lists, const std::vector<std::uint32_t>& part)
{
    std::uint64_t cut = 0;
    for (std::size_t v = 0; v < part.size(); ++v)
        for (std::uint64_t a = lists.offsets[v]; a < lists.offsets[v + 1]; ++a)
            cut += part[v] != part[lists.neighbours[a]] ? 1 : 0;
    return cut;
}

void expect_a_permutation(std::vector<std::uint32_t> order, std::uint32_t vertices)
{
    ASSERT_EQ(order.size(), vertices);
    std::sort(order.begin(), order.end());
    for (std::uint32_t v = 0; v < vertices; ++v) ASSERT_EQ(order[v], v);
}

TEST(Bisection, EveryVertexHasOnePlace)
{
    RandomNumbers random(1);
    for (const std::uint32_t vertices : {1U, 2U, 3U, 7U, 100U, 1000U})
        for (const std::uint32_t parts : {1U, 2U, 3U, 5U, 132U}) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
            // Some of the vertices have no edges, and there are several components.
            for (std::uint32_t i = 0; i < vertices; ++i)
                edges.emplace_back(static_cast<std::uint32_t>(random.next() % vertices),
                                   static_cast<std::uint32_t>(random.next() % vertices));
            const Lists lists = make_lists(vertices, edges);
            expect_a_permutation(order_by_bisection(lists.offsets, lists.neighbours, parts), vertices);
        }
    EXPECT_TRUE(order_by_bisection(std::vector<std::uint64_t>{0}, {}, 4).empty());
}

/// Straight borders would cut 256, 512 and 1536 arcs, a random division 32512 or more.
TEST(Bisection, TheBordersOfASquareAreShort)
{
    const Lists square = make_square(128);
    const std::vector<std::uint64_t> most_cut_arcs{512, 1400, 3200};
    std::size_t i = 0;
    for (const std::uint32_t parts : {2U, 4U, 16U}) {
        const auto part = part_of_vertices(order_by_bisection(square.offsets, square.neighbours, parts), parts);
        EXPECT_LE(cut_arcs(square, part), most_cut_arcs[i++]) << parts << " parts";
    }
}

TEST(Bisection, EndsIfTheFirstHalvesCutTooManyArcs)
{
    constexpr std::uint32_t n = 1000;
    constexpr std::uint32_t parts = 16;
    RandomNumbers random(3);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 0; i < 4 * n; ++i)
        edges.emplace_back(static_cast<std::uint32_t>(random.next() % n),
                           static_cast<std::uint32_t>(random.next() % n));
    const Lists lists = make_lists(n, edges);
    // Two parts are the same halves.
    const std::uint64_t cut =
        cut_arcs(lists, part_of_vertices(order_by_bisection(lists.offsets, lists.neighbours, 2), 2));
    ASSERT_GT(cut, n);
    EXPECT_EQ(order_by_bisection(lists.offsets, lists.neighbours, parts, cut),
              order_by_bisection(lists.offsets, lists.neighbours, parts));
    EXPECT_EQ(order_by_bisection(lists.offsets, lists.neighbours, parts, cut - 1), std::nullopt);
    // A part alone has no halves.
    EXPECT_TRUE(order_by_bisection(lists.offsets, lists.neighbours, 1, 0).has_value());
}

TEST(Bisection, ArcsInOneDirectionAreEnough)
{
    // A directed ring, whose parts are paths.
    constexpr std::uint32_t n = 600;
    Lists ring{{0}, {}};
    for (std::uint32_t v = 0; v < n; ++v) {
        ring.neighbours.push_back((v + 1) % n);
        ring.offsets.push_back(ring.neighbours.size());
    }
    const auto order = order_by_bisection(ring.offsets, ring.neighbours, 6);
    expect_a_permutation(order, n);
    EXPECT_LE(cut_arcs(ring, part_of_vertices(order, 6)), 12U);
}

}  // namespace
}  // namespace wayfront
