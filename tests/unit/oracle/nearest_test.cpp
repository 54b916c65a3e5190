#include "oracle/nearest.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

TEST(NearestOracle, TakesTheSmallestSourceAtTheSmallestDistance)
{
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto graph = random_weighted_graph<std::int64_t>(30, 70, seed % 2 == 0, 0, 4, seed);
        const std::vector<std::int64_t> sources{2, 3, 11, 12, 29};
        const oracle::Nearest<std::int64_t> nearest = oracle::nearest_sources(graph, sources, kNoCutoff);
        std::vector<std::int64_t> best(30, oracle::infinity<std::int64_t>());
        std::vector<std::int64_t> first(30, -1);
        for (const std::int64_t source : sources) {
            const std::vector<std::int64_t> from = oracle::dijkstra(graph, source);
            for (std::size_t v = 0; v < 30; ++v) {
                if (from[v] >= best[v]) continue;
                best[v] = from[v];
                first[v] = source;
            }
        }
        EXPECT_EQ(nearest.distances, best);
        EXPECT_EQ(nearest.sources, first);
    }
}

TEST(NearestOracle, FindsFaultsOfParents)
{
    const oracle::WeightedGraph<std::int64_t> path{5, false, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}};
    const oracle::Nearest<std::int64_t> nearest = oracle::nearest_sources(path, {0, 3}, kNoCutoff);
    EXPECT_EQ(nearest.sources, (std::vector<std::int64_t>{0, 0, 3, 3, -1}));
    EXPECT_EQ(oracle::parents_fault(path, nearest, {0, 0, 3, 3, -1}), "");
    EXPECT_NE(oracle::parents_fault(path, nearest, {0, 0, 1, 3, -1}), "");
    EXPECT_NE(oracle::parents_fault(path, nearest, {0, 0, 3, 2, -1}), "");
    EXPECT_NE(oracle::parents_fault(path, nearest, {0, 0, 3, 3, 3}), "");
}

}  // namespace
}  // namespace wayfront
