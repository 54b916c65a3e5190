#include "algo/apsp/sampled_figures.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::algo {
namespace {

Summary rows_of(const std::vector<RowFacts>& rows)
{
    Summary summary(rows.size(), true, SummaryDetail::full);
    for (std::size_t i = 0; i < rows.size(); ++i) summary.set_row(i, rows[i]);
    return summary;
}

RowFacts row(std::uint64_t reached, double sum, double inverse_sum)
{
    return {.reached = reached, .eccentricity = 1, .sum = sum, .inverse_sum = inverse_sum};
}

TEST(SampledFiguresTest, ValuesAndErrors)
{
    // 10 of 100 vertices with edges; 20 more have none.
    const SampledGraph graph{.vertices = 120, .with_edges = 100, .directed = true, .most_distance = 7};
    const SampledFigures figures = sampled_figures_of(rows_of(std::vector<RowFacts>(10, row(50, 200, 30))), graph);
    const double share = std::sqrt((1 - 9.0 / 100) * std::log(2 / 0.05) / 20);
    EXPECT_DOUBLE_EQ(figures.reachable_pairs.value, 5000);
    EXPECT_NEAR(figures.reachable_pairs.error.value_or(-1), 100 * 99 * share, 1e-9);
    EXPECT_DOUBLE_EQ(figures.distance_sum.value, 20000);
    EXPECT_NEAR(figures.distance_sum.error.value_or(-1), 100 * 99 * 7 * share, 1e-9);
    ASSERT_TRUE(figures.efficiency);
    EXPECT_DOUBLE_EQ(figures.efficiency->value, 3000 / (120.0 * 119));
    EXPECT_NEAR(figures.efficiency->error.value_or(-1), 100 * 99 * share / (120 * 119), 1e-12);
    // Both the sum and the number of pairs may be wrong, each with half of the probability.
    const double each = std::sqrt((1 - 9.0 / 100) * std::log(2 / 0.025) / 20) * 100 * 99;
    ASSERT_TRUE(figures.average);
    EXPECT_DOUBLE_EQ(figures.average->value, 4);
    if (each < 5000)
        EXPECT_NEAR(figures.average->error.value_or(-1), (20000 + 7 * each) / (5000 - each) - 4, 1e-9);
    else
        EXPECT_EQ(figures.average->error, std::nullopt);
}

TEST(SampledFiguresTest, ConnectedGraphsHaveAllPairs)
{
    const SampledGraph graph{.vertices = 100, .with_edges = 100, .directed = false, .most_distance = 7};
    const SampledFigures figures = sampled_figures_of(rows_of(std::vector<RowFacts>(50, row(99, 198, 60))), graph);
    EXPECT_EQ(figures.reachable_pairs.error, 0);
    ASSERT_TRUE(figures.average);
    EXPECT_NEAR(figures.average->error.value_or(-1), 7 * std::sqrt((1 - 49.0 / 100) * std::log(2 / 0.05) / 100), 1e-9);
}

TEST(SampledFiguresTest, AllVerticesLeaveNoError)
{
    const SampledGraph graph{.vertices = 4, .with_edges = 3, .directed = true, .most_distance = 2};
    const SampledFigures figures = sampled_figures_of(rows_of({row(2, 3, 1.5), row(1, 1, 1), row(0, 0, 0)}), graph);
    EXPECT_EQ(figures.reachable_pairs.error, 0);
    EXPECT_EQ(figures.distance_sum.error, 0);
    EXPECT_DOUBLE_EQ(figures.reachable_pairs.value, 3);
    ASSERT_TRUE(figures.average && figures.efficiency);
    EXPECT_DOUBLE_EQ(figures.average->value, 4.0 / 3);
    EXPECT_EQ(figures.average->error, 0);
    EXPECT_DOUBLE_EQ(figures.efficiency->value, 2.5 / 12);
    EXPECT_EQ(figures.efficiency->error, 0);
}

TEST(SampledFiguresTest, FloatsHaveNoBound)
{
    const SampledGraph graph{.vertices = 100, .with_edges = 100, .directed = true, .most_distance = 0};
    const SampledFigures figures = sampled_figures_of(rows_of(std::vector<RowFacts>(10, row(50, 20.5, 300))), graph);
    EXPECT_TRUE(figures.reachable_pairs.error);
    EXPECT_EQ(figures.distance_sum.error, std::nullopt);
    ASSERT_TRUE(figures.average && figures.efficiency);
    EXPECT_EQ(figures.average->error, std::nullopt);
    EXPECT_EQ(figures.efficiency->error, std::nullopt);
    const SampledFigures none = sampled_figures_of(rows_of({row(0, 0, 0)}), graph);
    EXPECT_EQ(none.average, std::nullopt);
}

}  // namespace
}  // namespace wayfront::algo
