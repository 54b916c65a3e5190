#include "algo/reachable_pairs.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::algo {
namespace {

using Arcs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

struct Graph
{
    std::uint32_t vertices;
    Arcs arcs;
};

PairLimits limits_of(const Graph& graph)
{
    std::vector<std::uint32_t> degrees(graph.vertices, 0);
    std::set<std::uint32_t> with_edges;
    for (const auto& [from, to] : graph.arcs) {
        ++degrees[from];
        with_edges.insert({from, to});
    }
    Csr csr(degrees);
    std::size_t entry = 0;
    for (const auto& [from, to] : graph.arcs) csr.neighbours()[entry++] = to;
    return limit_reachable_pairs(csr.view(), with_edges.size());
}

/// By S. Warshall's algorithm.
std::uint64_t pairs_of(const Graph& graph)
{
    const std::uint32_t n = graph.vertices;
    std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n, false));
    for (const auto& [from, to] : graph.arcs) reaches[from][to] = true;
    for (std::uint32_t k = 0; k < n; ++k)
        for (std::uint32_t u = 0; u < n; ++u)
            for (std::uint32_t v = 0; reaches[u][k] && v < n; ++v)
                if (reaches[k][v]) reaches[u][v] = true;
    std::uint64_t pairs = 0;
    for (std::uint32_t u = 0; u < n; ++u)
        for (std::uint32_t v = 0; v < n; ++v) pairs += u != v && reaches[u][v] ? 1 : 0;
    return pairs;
}

Graph random_graph(std::mt19937& random, bool directed)
{
    Graph graph{static_cast<std::uint32_t>(1 + random() % 40), {}};
    for (std::size_t i = random() % (std::size_t{3} * graph.vertices); i > 0; --i) {
        const auto from = static_cast<std::uint32_t>(random() % graph.vertices);
        const auto to = static_cast<std::uint32_t>(random() % graph.vertices);
        if (from == to) continue;
        graph.arcs.emplace(from, to);
        if (!directed) graph.arcs.emplace(to, from);
    }
    return graph;
}

TEST(ReachablePairs, LimitsHoldInDirectedGraphs)
{
    std::mt19937 random(5);
    int exact = 0;
    for (int i = 0; i < 3000; ++i) {
        const Graph graph = random_graph(random, true);
        const std::uint64_t pairs = pairs_of(graph);
        const PairLimits limits = limits_of(graph);
        ASSERT_LE(limits.at_least, pairs);
        ASSERT_GE(limits.at_most, pairs);
        ASSERT_LE(limits.at_most, std::uint64_t{graph.vertices} * (graph.vertices - 1));
        exact += limits.at_least == limits.at_most ? 1 : 0;
    }
    EXPECT_GT(exact, 300);
    EXPECT_LT(exact, 2700);  // otherwise, the other graphs are hardly tested
}

TEST(ReachablePairs, UndirectedGraphsAreExact)
{
    std::mt19937 random(6);
    for (int i = 0; i < 500; ++i) {
        const Graph graph = random_graph(random, false);
        const PairLimits limits = limits_of(graph);
        ASSERT_EQ(limits.at_least, pairs_of(graph));
        ASSERT_EQ(limits.at_most, limits.at_least);
    }
}

TEST(ReachablePairs, StronglyConnectedGraphsAreExact)
{
    Graph ring{1000, {}};
    for (std::uint32_t v = 0; v < ring.vertices; ++v) ring.arcs.emplace(v, (v + 1) % ring.vertices);
    EXPECT_EQ(limits_of(ring).at_least, 999'000U);
    EXPECT_EQ(limits_of(ring).at_most, 999'000U);
    EXPECT_EQ(limits_of({0, {}}).at_most, 0U);
}

/// 0, 1 and 2 are a ring, which 3 and 4 lead to, and which leads to 5 and 6; 4 also leads to 5, so
/// that 5 is reached in two ways; 7 leads to 4.
TEST(ReachablePairs, WhatTheLargestComponentReachesIsCountedOnce)
{
    const Graph graph{8, {{0, 1}, {1, 2}, {2, 0}, {0, 5}, {1, 6}, {3, 0}, {4, 1}, {4, 5}, {7, 4}}};
    const PairLimits limits = limits_of(graph);
    EXPECT_EQ(limits.at_least, 3 * 4 + 2 * 5 + 6U);
    EXPECT_EQ(limits.at_most, limits.at_least);
}

}  // namespace
}  // namespace wayfront::algo
