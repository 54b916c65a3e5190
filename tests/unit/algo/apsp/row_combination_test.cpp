#include "algo/apsp/row_combination.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_numbers.hpp"

namespace wayfront::algo {
namespace {

using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Csr lists_of(std::uint32_t vertices, const Arcs& arcs)
{
    std::vector<std::uint32_t> degrees(vertices, 0);
    for (const auto& [from, to] : arcs) ++degrees[from];
    Csr csr(degrees);
    std::vector<std::uint64_t> places(vertices);
    for (std::uint32_t v = 0; v < vertices; ++v) places[v] = csr.view().begin(v);
    for (const auto& [from, to] : arcs) csr.neighbours()[places[from]++] = to;
    return csr;
}

Arcs reversed(const Arcs& arcs)
{
    Arcs result;
    for (const auto& [from, to] : arcs) result.emplace_back(to, from);
    return result;
}

/// Different arcs between different vertices.
Arcs random_arcs(std::uint32_t vertices, std::size_t count, bool both_ways, std::uint64_t seed)
{
    RandomNumbers random(seed);
    Arcs arcs;
    for (std::size_t i = 0; i < count; ++i) {
        const auto from = static_cast<std::uint32_t>(random.next() % vertices);
        const auto to = static_cast<std::uint32_t>(random.next() % vertices);
        if (from == to) continue;
        arcs.emplace_back(from, to);
        if (both_ways) arcs.emplace_back(to, from);
    }
    std::ranges::sort(arcs);
    const auto duplicates = std::ranges::unique(arcs);
    arcs.erase(duplicates.begin(), duplicates.end());
    return arcs;
}

/// Divides the vertices, and checks that each vertex is in one list, and that the rows of its
/// out-neighbours come before its own row. Returns the division.
RowCombination divide(std::uint32_t vertices, const Arcs& arcs, const FeedbackVertexOptions& options = {})
{
    const Csr out = lists_of(vertices, arcs);
    const Csr in = lists_of(vertices, reversed(arcs));
    std::vector<std::uint32_t> told;
    RowCombination rows =
        combine_rows(out.view(), in.view(), vertices, options, [&](std::span<const std::uint32_t> part) {
            EXPECT_FALSE(part.empty());
            told.insert(told.end(), part.begin(), part.end());
        });
    EXPECT_EQ(told, rows.searched);
    EXPECT_EQ(combine_rows(out.view(), in.view(), vertices, options).searched, rows.searched);
    std::vector<std::size_t> level_of(vertices, SIZE_MAX);  // 0 of rows that are searched
    for (const std::uint32_t v : rows.searched) {
        EXPECT_EQ(level_of[v], SIZE_MAX) << v;
        level_of[v] = 0;
    }
    EXPECT_EQ(rows.level_begins.front(), 0U);
    EXPECT_EQ(rows.level_begins.back(), rows.combined.size());
    for (std::size_t level = 0; level + 1 < rows.level_begins.size(); ++level) {
        EXPECT_LT(rows.level_begins[level], rows.level_begins[level + 1]) << "level " << level << " is empty";
        for (std::size_t i = rows.level_begins[level]; i < rows.level_begins[level + 1]; ++i) {
            const std::uint32_t v = rows.combined[i];
            EXPECT_EQ(level_of[v], SIZE_MAX) << v;
            EXPECT_LE(out.view().degree(v), options.most_arcs) << v;
            for (std::uint64_t e = out.view().begin(v); e < out.view().end(v); ++e)
                EXPECT_LE(level_of[out.neighbours()[e]], level) << v << " depends on " << out.neighbours()[e];
            level_of[v] = level + 1;
        }
    }
    EXPECT_EQ(rows.searched.size() + rows.combined.size(), vertices);
    return rows;
}

TEST(RowCombination, RandomGraphs)
{
    for (const std::uint32_t vertices : {1U, 2U, 3U, 31U, 64U, 1000U})
        for (const std::size_t degree : {1U, 2U, 4U, 8U})
            for (const bool both_ways : {false, true})
                for (const std::uint32_t most_arcs : {0U, 2U, 16U}) {
                    SCOPED_TRACE(testing::Message() << vertices << " vertices of degree " << degree
                                                    << (both_ways ? ", both ways" : "") << ", most arcs " << most_arcs);
                    const Arcs arcs = random_arcs(vertices, degree * vertices, both_ways, vertices + degree);
                    const RowCombination rows = divide(vertices, arcs, {.most_arcs = most_arcs});
                    if (most_arcs == 0) {
                        EXPECT_EQ(rows.searched.size(), vertices);
                    }
                }
}

/// In a random graph with four arcs a vertex, less than a quarter of the vertices are searched.
TEST(RowCombination, FewVerticesAreSearched)
{
    constexpr std::uint32_t n = 20000;
    EXPECT_LT(divide(n, random_arcs(n, std::size_t{4} * n, false, 7)).searched.size(), n / 4);
    EXPECT_LT(divide(n, random_arcs(n, std::size_t{2} * n, true, 7)).searched.size(), 55 * n / 100);
}

TEST(RowCombination, SearchedVerticesAreReportedInParts)
{
    constexpr std::uint32_t n = 2000;
    const Arcs arcs = random_arcs(n, std::size_t{8} * n, false, 3);
    const Csr out = lists_of(n, arcs);
    const Csr in = lists_of(n, reversed(arcs));
    std::vector<std::size_t> parts;
    const RowCombination rows =
        combine_rows(out.view(), in.view(), n, {.members_at_once = 100},
                     [&](std::span<const std::uint32_t> part) { parts.push_back(part.size()); });
    ASSERT_GT(parts.size(), 5U);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) EXPECT_GE(parts[i], 100U);
    EXPECT_LT(parts.size(), rows.searched.size() / 100 + 2);
}

/// Whether the vertices that are not in a set have no cycle among each other.
bool breaks_all_cycles(std::uint32_t vertices, const Arcs& arcs, std::uint32_t set)
{
    std::uint32_t left = ~set & ((1U << vertices) - 1);
    for (std::uint32_t before = 0; left != before;) {
        before = left;
        std::uint32_t with_arcs = 0;
        for (const auto& [from, to] : arcs)
            if ((left >> from & left >> to & 1U) != 0) with_arcs |= 1U << from;
        left = with_arcs;
    }
    return left == 0;
}

/// Compares with the smallest set of all, in small graphs.
TEST(RowCombination, SetsAreCloseToTheSmallest)
{
    constexpr std::uint32_t n = 9;
    std::size_t more = 0;
    std::size_t least = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Arcs arcs = random_arcs(n, n + seed % 20, seed % 3 == 0, seed);
        std::uint32_t smallest = n;
        for (std::uint32_t set = 0; set < 1U << n; ++set) {
            const auto size = static_cast<std::uint32_t>(std::popcount(set));
            if (size < smallest && breaks_all_cycles(n, arcs, set)) smallest = size;
        }
        const std::size_t found = divide(n, arcs).searched.size();
        EXPECT_GE(found, smallest);
        EXPECT_LE(found, smallest + 1) << "seed " << seed;
        more += found - smallest;
        least += smallest;
    }
    EXPECT_LT(20 * more, least);
}

/// Lists that are too long to be kept, and lists that grow while the graph shrinks.
TEST(RowCombination, Hubs)
{
    constexpr std::uint32_t n = 3000;
    Arcs inwards;  // all into one vertex, and a way back
    Arcs chains;   // each of many vertices is on a cycle through two hubs
    for (std::uint32_t v = 2; v < n; ++v) {
        inwards.emplace_back(v, 0);
        chains.emplace_back(v, v % 2);
        if (v % 7 == 0) chains.emplace_back(v % 2, v);
        if (v + 1 < n) chains.emplace_back(v, v + 1);
    }
    // The vertex may be searched although there is no cycle.
    EXPECT_EQ(divide(n, inwards).searched.size(), 1U);
    inwards.emplace_back(0, 1);
    inwards.emplace_back(1, 2);
    EXPECT_LE(divide(n, inwards).searched.size(), 1U);
    EXPECT_LE(divide(n, chains).searched.size(), 2U);

    // To the root, with a way back to each leaf: contractions give the root more and more
    // in-neighbours.
    Arcs tree;
    for (std::uint32_t v = 1; v < n; ++v) {
        tree.emplace_back(v, (v - 1) / 2);
        if (2 * v + 1 >= n) tree.emplace_back(0, v);
    }
    EXPECT_EQ(divide(n, tree).searched.size(), 1U);
    EXPECT_EQ(divide(n, reversed(tree)).searched.size(), 1U);
    divide(n, random_arcs(n, std::size_t{3} * n, false, 9), {.most_arcs = n});
}

/// No vertex of a graph without cycles is searched.
TEST(RowCombination, NoCycles)
{
    Arcs forwards = random_arcs(1000, 3000, false, 5);
    for (auto& [from, to] : forwards)
        if (from > to) std::swap(from, to);
    std::ranges::sort(forwards);
    const auto duplicates = std::ranges::unique(forwards);
    forwards.erase(duplicates.begin(), duplicates.end());
    EXPECT_TRUE(divide(1000, forwards).searched.empty());
}

TEST(RowCombination, ShapesWithKnownAnswers)
{
    constexpr std::uint32_t n = 500;
    Arcs path;
    Arcs star;
    for (std::uint32_t v = 0; v + 1 < n; ++v) {
        path.emplace_back(v, v + 1);
        star.emplace_back(0, v + 1);
        star.emplace_back(v + 1, 0);
    }
    const RowCombination of_path = divide(n, path);
    EXPECT_TRUE(of_path.searched.empty());
    EXPECT_EQ(of_path.level_begins.size(), n + 1);  // each row depends on the next vertex's

    Arcs ring = path;
    ring.emplace_back(n - 1, 0);
    EXPECT_EQ(divide(n, ring).searched.size(), 1U);
    EXPECT_EQ(divide(n, star).searched, std::vector<std::uint32_t>{0});

    Arcs complete;
    for (std::uint32_t u = 0; u < 17; ++u)
        for (std::uint32_t v = 0; v < 17; ++v)
            if (u != v) complete.emplace_back(u, v);
    EXPECT_EQ(divide(17, complete).searched.size(), 16U);
    EXPECT_EQ(divide(17, complete, {.most_arcs = 15}).searched.size(), 17U);

    EXPECT_TRUE(divide(3, {}).searched.empty());  // all rows are empty
}

void expect_estimate(std::uint32_t vertices, const Arcs& arcs, bool directed)
{
    const RowCombination found = divide(vertices, arcs);
    double combined_arcs = 0;
    const Csr out = lists_of(vertices, arcs);
    for (const std::uint32_t vertex : found.combined) combined_arcs += static_cast<double>(out.view().degree(vertex));
    const ExpectedCombination expected = expected_combination(out.view(), vertices, directed);
    EXPECT_NEAR(expected.searched, static_cast<double>(found.searched.size()), 0.06 * vertices);
    EXPECT_NEAR(expected.combined_arcs, combined_arcs, 0.15 * static_cast<double>(arcs.size()));
}

TEST(ExpectedCombination, OfRandomGraphs)
{
    constexpr std::uint32_t n = 2000;
    for (const std::size_t degree : {1U, 2U, 4U, 8U, 12U}) {
        SCOPED_TRACE(degree);
        expect_estimate(n, random_arcs(n, n * degree / 2, true, degree), false);
        expect_estimate(n, random_arcs(n, n * degree, false, degree), true);
    }
}

/// Most arcs lead to and from few vertices.
TEST(ExpectedCombination, OfSkewedGraphs)
{
    constexpr std::uint32_t n = 2000;
    RandomNumbers random(3);
    for (const bool directed : {false, true}) {
        Arcs arcs = random_arcs(n, n, !directed, 4);
        for (std::uint32_t v = 0; v < n; ++v) {
            for (int i = 0; i < 5; ++i) {
                const auto hub = static_cast<std::uint32_t>(random.next() % 60);
                if (hub == v) continue;
                arcs.emplace_back(v, hub);
                arcs.emplace_back(hub, v);
            }
        }
        std::ranges::sort(arcs);
        const auto duplicates = std::ranges::unique(arcs);
        arcs.erase(duplicates.begin(), duplicates.end());
        expect_estimate(n, arcs, directed);
    }
}

TEST(ExpectedCombination, OfNothing)
{
    EXPECT_EQ(expected_combination(lists_of(0, {}).view(), 0, true).searched, 0);
    EXPECT_EQ(expected_combination(lists_of(3, {}).view(), 3, false).searched, 0);
}

}  // namespace
}  // namespace wayfront::algo
