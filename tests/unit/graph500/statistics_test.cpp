// The report's statistics, compared with numbers that were worked out by hand from the
// specification's formulas.
#include "graph500/statistics.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::graph500 {
namespace {

TEST(Statistics, OfEightValues)
{
    // Sorted: 1 2 3 4 5 6 7 12. (n-1)/4 = 1, n/4 = 2; (n-1)/2 = 3, n/2 = 4; n-1-1 = 6, n-1-2 = 5.
    const std::vector<double> values = {5, 3, 12, 1, 7, 2, 6, 4};
    const Statistics s = statistics(values);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.first_quartile, 2.5);
    EXPECT_EQ(s.median, 4.5);
    EXPECT_EQ(s.third_quartile, 6.5);
    EXPECT_EQ(s.max, 12);
    EXPECT_EQ(s.mean, 5);
    EXPECT_DOUBLE_EQ(s.stddev, std::sqrt(84.0 / 7));
}

TEST(Statistics, OfFiveAndOfSixValues)
{
    const Statistics five = statistics(std::vector<double>{50, 10, 40, 20, 30});
    EXPECT_EQ(five.first_quartile, 20);
    EXPECT_EQ(five.median, 30);
    EXPECT_EQ(five.third_quartile, 40);
    const Statistics six = statistics(std::vector<double>{10, 20, 30, 40, 50, 60});
    EXPECT_EQ(six.first_quartile, 20);
    EXPECT_EQ(six.median, 35);
    EXPECT_EQ(six.third_quartile, 50);
}

TEST(Statistics, OfOneValue)
{
    const Statistics s = statistics(std::vector<double>{3});
    EXPECT_EQ(s.min, 3);
    EXPECT_EQ(s.first_quartile, 3);
    EXPECT_EQ(s.median, 3);
    EXPECT_EQ(s.third_quartile, 3);
    EXPECT_EQ(s.max, 3);
    EXPECT_EQ(s.mean, 3);
    EXPECT_TRUE(std::isnan(s.stddev));
}

TEST(Statistics, TepsAreInvertedSecondsPerEdge)
{
    // Seconds per edge: 1/2, 1/4, 1/4, 1. Mean 1/2; deviations 0, -1/4, -1/4, 1/2; variance 3/24 =
    // 1/8.
    const std::vector<double> edges = {10, 20, 40, 5};
    const std::vector<double> seconds = {5, 5, 10, 5};
    const TepsStatistics s = teps_statistics(edges, seconds);
    EXPECT_EQ(s.min, 1);
    EXPECT_DOUBLE_EQ(s.first_quartile, 1 / 0.75);
    EXPECT_DOUBLE_EQ(s.median, 1 / 0.375);
    EXPECT_EQ(s.third_quartile, 4);
    EXPECT_EQ(s.max, 4);
    EXPECT_EQ(s.harmonic_mean, 2);
    EXPECT_DOUBLE_EQ(s.harmonic_stddev, std::sqrt(1.0 / 8) / (0.25 * std::sqrt(3.0)));
}

}  // namespace
}  // namespace wayfront::graph500
