#include "algo/apsp/elimination.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "graph/construction.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront::algo {
namespace {

using Graph = oracle::WeightedGraph<std::int64_t>;

DistributedGraph construct_alone(const Graph& graph)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    return construct(grid, ShareFeed<std::uint32_t>(graph, 0, 1));
}

/// The positions are a preorder, and arcs lead to ancestors.
void expect_tree(const Elimination& tree, const Graph& graph)
{
    ASSERT_EQ(tree.positions.size(), static_cast<std::size_t>(graph.vertices));
    ASSERT_EQ(tree.arcs_to_ancestors_begins.size(), tree.size() + std::size_t{1});
    ASSERT_EQ(tree.arcs_from_ancestors_begins.size(), tree.size() + std::size_t{1});
    for (std::uint32_t p = 0; p < tree.size(); ++p) {
        EXPECT_EQ(tree.positions[tree.vertices[p]], p);
        EXPECT_GT(tree.ends[p], p);
        EXPECT_LT(tree.depths[p], tree.height);
        const std::uint32_t parent = tree.parents[p];
        if (parent == Elimination::kNoPosition) {
            EXPECT_EQ(tree.depths[p], 0U);
        } else {
            EXPECT_LT(parent, p);
            EXPECT_LE(tree.ends[p], tree.ends[parent]);
            EXPECT_EQ(tree.depths[p], tree.depths[parent] + 1);
        }
        for (std::uint32_t a = tree.arcs_to_ancestors_begins[p]; a < tree.arcs_to_ancestors_begins[p + 1]; ++a)
            EXPECT_LT(tree.arcs_to_ancestors[a].depth, tree.depths[p]);
        for (std::uint32_t a = tree.arcs_from_ancestors_begins[p]; a < tree.arcs_from_ancestors_begins[p + 1]; ++a)
            EXPECT_LT(tree.arcs_from_ancestors[a].depth, tree.depths[p]);
    }
}

TEST(Elimination, LeavesOfAStarHaveOneArcEach)
{
    constexpr std::int64_t n = 100;
    Graph star{n + 1, false, {}};  // the last vertex has no edges
    for (std::int64_t v = 1; v < n; ++v) star.edges.push_back({0, v, v});
    const Elimination tree = eliminate(construct_alone(star)).value();
    expect_tree(tree, star);
    EXPECT_EQ(tree.size(), n);
    EXPECT_EQ(tree.positions.back(), Elimination::kNoPosition);
    EXPECT_EQ(tree.height, 2U);
    EXPECT_EQ(tree.arcs_to_ancestors.size(), n - 1U);
    EXPECT_EQ(tree.arcs_from_ancestors.size(), n - 1U);
}

TEST(Elimination, ThePathIsNotEliminatedFromItsEnds)
{
    constexpr std::int64_t n = 10000;
    Graph path{n, true, {}};
    for (std::int64_t v = 1; v < n; ++v) path.edges.push_back({v - 1, v, v % 10});
    const Elimination tree = eliminate(construct_alone(path)).value();
    expect_tree(tree, path);
    EXPECT_LT(tree.height, 40U);
    EXPECT_LE(tree.arcs_to_ancestors.size(), 2U * n);
}

/// Two ways of the same length between all pairs, and ways of no length.
TEST(Elimination, ArcsThatOthersReplaceAreDropped)
{
    constexpr std::int64_t n = 30;
    Graph complete{n, false, {}};
    // An edge is as long as the way through the vertices between its ends.
    for (std::int64_t u = 0; u < n; ++u)
        for (std::int64_t v = u + 1; v < n; ++v) complete.edges.push_back({u, v, v - u});
    const Elimination tree = eliminate(construct_alone(complete)).value();
    expect_tree(tree, complete);
    EXPECT_LE(tree.arcs_to_ancestors.size(), 2U * n);
    for (auto& edge : complete.edges) edge.weight = 0;
    const Elimination flat = eliminate(construct_alone(complete)).value();
    expect_tree(flat, complete);
    EXPECT_EQ(flat.arcs_to_ancestors.size(), n - 1U);
}

TEST(Elimination, EndsAtItsLimits)
{
    const Graph random = random_weighted_graph<std::uint32_t>(700, 2800, false, 1, 100, 1);
    const DistributedGraph graph = construct_alone(random);
    EXPECT_FALSE(eliminate(graph, {.pairs_a_vertex = 20}).has_value());
    EXPECT_FALSE(eliminate(graph, {.pairs_a_vertex = 1e9, .work = 1e5}).has_value());
    EXPECT_FALSE(eliminate(graph, {.pairs_a_vertex = 1e9, .height = 100}).has_value());
    EXPECT_FALSE(eliminate(graph, {.pairs_a_vertex = 1e9, .bytes = 1e6}).has_value());
    EXPECT_TRUE(eliminate(graph, {.pairs_a_vertex = 1e9}).has_value());
}

TEST(Elimination, TakesTheLeastWorkAndMore)
{
    Graph path{2000, false, {}};
    for (std::int64_t v = 1; v < path.vertices; ++v) path.edges.push_back({v - 1, v, v});
    const DistributedGraph graph = construct_alone(path);
    const double least = least_elimination_work(graph);
    EXPECT_FALSE(eliminate(graph, {.work = 0.99 * least}).has_value());
    EXPECT_TRUE(eliminate(graph, {.work = 2 * least}).has_value());
    // In random graphs, the limit ends the elimination.
    const DistributedGraph random = construct_alone(random_weighted_graph<std::uint32_t>(2000, 6000, false, 1, 100, 1));
    EXPECT_FALSE(eliminate(random, {.work = 8 * least_elimination_work(random)}).has_value());
}

}  // namespace
}  // namespace wayfront::algo
