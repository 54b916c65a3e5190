// The oracles of shortest paths, on a graph that is small enough to search by hand, and against
// each other.
//
//     0 --1--> 1 --0--> 3 --2--> 4      5 --7--> 0      6 (alone)
//     0 --4--> 3,  0 --1--> 2 --0--> 3,  3 --0--> 1
#include "oracle/dijkstra.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/boost_dijkstra.hpp"
#include "support/weighted_shapes.hpp"

namespace wayfront {
namespace {

constexpr std::int64_t kFar = oracle::infinity<std::int64_t>();
const oracle::WeightedGraph<std::int64_t> kDirected{
    7,
    true,
    {{0, 1, 1}, {1, 3, 0}, {3, 4, 2}, {0, 3, 4}, {0, 2, 1}, {2, 3, 0}, {3, 1, 0}, {5, 0, 7}, {4, 4, 0}, {0, 1, 3}}};

TEST(DijkstraOracle, DirectedDistances)
{
    EXPECT_EQ(oracle::dijkstra(kDirected, 0), (std::vector<std::int64_t>{0, 1, 1, 1, 3, kFar, kFar}));
    EXPECT_EQ(oracle::boost_dijkstra(kDirected, 0), (std::vector<std::int64_t>{0, 1, 1, 1, 3, kFar, kFar}));
}

TEST(DijkstraOracle, UndirectedDistances)
{
    oracle::WeightedGraph<std::int64_t> graph = kDirected;
    graph.directed = false;
    EXPECT_EQ(oracle::dijkstra(graph, 5), (std::vector<std::int64_t>{7, 8, 8, 8, 10, 0, kFar}));
    EXPECT_EQ(oracle::boost_dijkstra(graph, 5), (std::vector<std::int64_t>{7, 8, 8, 8, 10, 0, kFar}));
}

TEST(DijkstraOracle, FindsEachFaultOfParents)
{
    const std::vector<std::int64_t> distances = oracle::dijkstra(kDirected, 0);
    const auto fault = [&](const std::vector<std::int64_t>& parents) {
        return oracle::parents_fault(kDirected, 0, distances, parents);
    };
    EXPECT_EQ(fault({0, 0, 0, 1, 3, -1, -1}), "");
    EXPECT_EQ(fault({0, 3, 0, 2, 3, -1, -1}), "");
    EXPECT_NE(fault({1, 0, 0, 1, 3, -1, -1}), "") << "the source has another parent";
    EXPECT_NE(fault({0, 0, 0, 1, -1, -1, -1}), "") << "a reached vertex has no parent";
    EXPECT_NE(fault({0, 0, 0, 1, 3, 0, -1}), "") << "an unreached vertex has a parent";
    EXPECT_NE(fault({0, 0, 0, 0, 3, -1, -1}), "") << "the edge from the parent is too long";
    EXPECT_NE(fault({0, 0, 0, 1, 2, -1, -1}), "") << "there is no edge from the parent";
    EXPECT_NE(fault({0, 0, 0, 1, 9, -1, -1}), "") << "the parent is not a vertex";
    EXPECT_NE(fault({0, 3, 0, 1, 3, -1, -1}), "") << "two vertices are parents of each other";
    EXPECT_NE(fault({0, 0, 0, 1, 4, -1, -1}), "") << "a vertex is its own parent";
}

template <typename W>
class DijkstraOracles : public testing::Test
{
};
using WeightTypes = testing::Types<std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DijkstraOracles, WeightTypes);

TYPED_TEST(DijkstraOracles, AgreeOnAllShapes)
{
    RandomNumbers random(21);
    for (const Shape shape : kShapes) {
        for (const WeightRange kind : kWeightRanges) {
            for (int i = 0; i < 10; ++i) {
                const auto graph = shaped_graph<TypeParam>(random, shape, 300, kind);
                const std::int64_t source = random.below(static_cast<std::uint32_t>(graph.vertices));
                ASSERT_EQ(oracle::dijkstra(graph, source), oracle::boost_dijkstra(graph, source))
                    << kShapeNames[static_cast<std::size_t>(shape)];
            }
        }
    }
}

}  // namespace
}  // namespace wayfront
