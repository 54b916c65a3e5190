#include "algo/apsp/summary.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/row_loop.hpp"
#include "base/error.hpp"

namespace wayfront::algo {
namespace {

TEST(DistanceHistogramTest, WidensInPowersOfTwo)
{
    DistanceHistogram histogram;
    histogram.add(0);
    histogram.add(1023, 2);
    EXPECT_EQ(histogram.width(), 1);
    EXPECT_EQ(histogram.counts().size(), 1024U);
    histogram.add(1024);
    EXPECT_EQ(histogram.width(), 2);
    EXPECT_EQ(histogram.counts()[0], 1U);
    EXPECT_EQ(histogram.counts()[511], 2U);
    EXPECT_EQ(histogram.counts()[512], 1U);
    histogram.add(-1);
    histogram.add(-3);
    EXPECT_EQ(histogram.negative_counts()[0], 1U);
    EXPECT_EQ(histogram.negative_counts()[1], 1U);
}

TEST(DistanceHistogramTest, DoesNotDependOnTheOrder)
{
    const std::vector<double> distances{0.25, 1e-3, 0, 700.5, -2.5, 1e-9, 3};
    DistanceHistogram forward(false);
    for (const double distance : distances) forward.add(distance);
    DistanceHistogram merged(false);
    for (std::size_t i = distances.size(); i-- > 0;) {
        DistanceHistogram one(false);
        one.add(distances[i]);
        merged.merge(one);
    }
    EXPECT_EQ(forward.exponent(), merged.exponent());
    EXPECT_TRUE(std::ranges::equal(forward.counts(), merged.counts()));
    EXPECT_TRUE(std::ranges::equal(forward.negative_counts(), merged.negative_counts()));
    EXPECT_GE(700.5 / forward.width(), 512);
    EXPECT_LT(700.5 / forward.width(), 1024);
}

TEST(DistanceHistogramTest, WidthOfWholeDistancesFollowsFromTheLargest)
{
    for (const std::uint64_t most : {0U, 1U, 1023U, 1024U, 2047U, 2048U, 1U << 31, ~0U}) {
        DistanceHistogram histogram;
        histogram.cover(static_cast<double>(most));
        EXPECT_EQ(DistanceHistogram::whole_exponent(most), histogram.exponent()) << most;
    }
}

TEST(SummaryTest, Figures)
{
    const std::vector<RowFacts> rows{{2, 3, 5}, {0, 0, 0}, {1, 1, 1}};
    const SummaryFigures figures = figures_of(rows);
    EXPECT_EQ(figures.reachable_pairs, 3U);
    EXPECT_EQ(figures.average, 2);
    EXPECT_EQ(figures.diameter, 3);
    EXPECT_EQ(figures.radius, 1);  // the vertex that reaches none does not count
    EXPECT_DOUBLE_EQ(closeness_of(rows[0], 3).value_or(-1), 2.0 / 5 * (2.0 / 2));
    EXPECT_EQ(closeness_of(rows[1], 3), 0);
    EXPECT_EQ(closeness_of({1, 0, 0}, 3), std::nullopt);
    EXPECT_EQ(closeness_of({2, 1, -0.5}, 3), std::nullopt);
    EXPECT_EQ(closeness_of({1, 1e-310, 1e-310}, 3), std::nullopt);
}

TEST(SummaryTest, DistancesAtTheLimitsOfTheirType)
{
    constexpr double tiny = std::numeric_limits<double>::denorm_min();
    DistanceHistogram histogram(false);
    const std::vector<double> row{0, tiny, -tiny, unreached<double>()};
    const RowFacts small = facts_of_row(std::span<const double>(row), 0, histogram);
    EXPECT_EQ(small.eccentricity, tiny);
    EXPECT_EQ(histogram.counts()[0], 1U);
    EXPECT_EQ(histogram.negative_counts()[0], 1U);
    EXPECT_GT(histogram.width(), 0);

    const std::vector<double> far{0, 1e308, 1.5e308, unreached<double>()};
    const RowFacts large = facts_of_row(std::span<const double>(far), 0, histogram);
    EXPECT_DOUBLE_EQ(figures_of(std::vector{large}).average, 1.25e308);
    EXPECT_DOUBLE_EQ(closeness_of(large, 4).value_or(-1), 2.0 / 3 / 1.25e308);
    // Each sum fits, but not their sum.
    EXPECT_DOUBLE_EQ(figures_of(std::vector<RowFacts>{{1, 1.5e308, 1.5e308}, {1, 1e308, 1e308}}).average, 1.25e308);
    EXPECT_EQ(figures_of(std::vector<RowFacts>{{1, 1e308, 1e308}, {1, -1e308, -1e308}}).average, 0);
}

TEST(SummaryTest, WholeSumsAreExact)
{
    constexpr auto full = SummaryDetail::full;
    constexpr double most = 0x1p53 - 1;
    DistanceHistogram histogram;
    const auto facts = [&](const std::vector<double>& row) {
        return facts_of_row(std::span<const double>(row), 0, histogram, full, true);
    };
    // Added as float64, the sum would be 2^53 + 2.
    EXPECT_EQ(facts({0, most, 1, 1, unreached<double>(), 1}).whole_sum, (std::int64_t{1} << 53) + 2);
    EXPECT_EQ(facts({0, most, 1, 1, 1, 1}).whole_sum, (std::int64_t{1} << 53) + 3);
    EXPECT_EQ(facts({0, -5, 3, -1}).whole_sum, -3);
    EXPECT_TRUE(std::isnan(facts({0, -5, 3, -1}).inverse_sum));
    EXPECT_EQ(facts({0, 0, 2, 4}).inverse_sum, 0.75);  // a distance of 0 has no reciprocal

    // 2^10 times 2^53 exceeds 64 bits by one bit.
    std::vector<double> far(1 + (1 << 10), most);
    EXPECT_EQ(facts(far).whole_sum, (std::int64_t{1} << 62) - 1 + (std::int64_t{1} << 62) - ((1 << 10) - 1));
    far.resize(far.size() + 2, most);
    EXPECT_EQ(facts(far).whole_sum, RowFacts::kNoWholeSum);

    Summary summary(2, true, full);
    summary.set_row(1, facts(far));
    EXPECT_NO_THROW(require_fit(summary, {0, 1}, DistanceType::float64));
    EXPECT_THROW(require_fit(summary, {0, 2}, DistanceType::float64), InputError);
    EXPECT_EQ(distance_sum_of(summary).whole, std::nullopt);
    EXPECT_DOUBLE_EQ(distance_sum_of(summary).value, 1026 * most);
}

TEST(SummaryTest, FiguresOfTheGraph)
{
    Summary summary(4, true);
    summary.set_row(0, {3, 4, 9});
    summary.set_row(1, {3, 4, 7});
    summary.set_row(3, {3, 2, 5});
    for (const double distance : {4, 3, 2, 4, 2, 1, 2, 2, 1}) summary.histogram().add(distance);
    EXPECT_EQ(rows_of_eccentricity(summary.rows(), 2), (std::vector<std::size_t>{3}));
    EXPECT_EQ(rows_of_eccentricity(summary.rows(), 4), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(rows_of_eccentricity(summary.rows(), 0), std::vector<std::size_t>{});  // row 2 reaches none
    EXPECT_EQ(distance_sum_of(summary).whole, 21);
    EXPECT_DOUBLE_EQ(global_efficiency_of(summary, 4).value_or(-1), (2 + 2.0 + 0.5 + 1.0 / 3) / 12);
    EXPECT_EQ(global_efficiency_of(summary, 1), 0);
    // Bins of two distances do not tell, but full rows do.
    summary.histogram().add(2000);
    EXPECT_EQ(global_efficiency_of(summary, 4), std::nullopt);
    Summary full(4, true, SummaryDetail::full);
    full.histogram().add(2000);
    full.set_row(0, {.reached = 1, .inverse_sum = 6});
    EXPECT_DOUBLE_EQ(global_efficiency_of(full, 4).value_or(-1), 0.5);
    full.set_row(1, {.reached = 1, .inverse_sum = std::numeric_limits<double>::quiet_NaN()});
    EXPECT_EQ(global_efficiency_of(full, 4), std::nullopt);
}

std::vector<std::pair<std::size_t, std::size_t>> pairs(const std::vector<IndexRange>& ranges)
{
    std::vector<std::pair<std::size_t, std::size_t>> result;
    result.reserve(ranges.size());
    for (const IndexRange range : ranges) result.emplace_back(range.first, range.last);
    return result;
}

TEST(RowRangesTest, PartsGapsAndJoins)
{
    using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
    const std::vector<IndexRange> done = joined_ranges({{7, 9}, {0, 2}, {2, 3}, {5, 5}});
    EXPECT_EQ(pairs(done), (Pairs{{0, 3}, {7, 9}}));
    const std::vector<IndexRange> left = ranges_between(done, 12);
    EXPECT_EQ(pairs(left), (Pairs{{3, 7}, {9, 12}}));
    EXPECT_EQ(pairs(part_of_ranges(left, 0, 2)), (Pairs{{3, 7}}));
    EXPECT_EQ(pairs(part_of_ranges(left, 1, 2)), (Pairs{{9, 12}}));
    EXPECT_EQ(pairs(part_of_ranges(left, 1, 3)), (Pairs{{6, 7}, {9, 10}}));
    EXPECT_EQ(pairs(part_of_ranges(left, 7, 8)), Pairs{});
}

}  // namespace
}  // namespace wayfront::algo
