#include "report/comparison.hpp"

#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::report {
namespace {

/// 1, 2, ..., n.
std::vector<double> counting(std::size_t n)
{
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

TEST(MedianInterval, HasTheRanksOfTheBinomialDistribution)
{
    struct Case
    {
        std::size_t n;
        double confidence;
        double low;
        double high;
    };
    // Computed with exact fractions: the largest k such that C(n,0) + ... + C(n,k-1) is at most
    // 2^n (1 - confidence) / 2.
    for (const auto& [n, confidence, low, high] : std::vector<Case>{{6, 0.95, 1, 6},
                                                                    {8, 0.95, 1, 8},
                                                                    {9, 0.95, 2, 8},
                                                                    {10, 0.95, 2, 9},
                                                                    {20, 0.95, 6, 15},
                                                                    {64, 0.95, 24, 41},
                                                                    {100, 0.95, 40, 61},
                                                                    {7, 0.975, 1, 7},
                                                                    {64, 0.975, 23, 42},
                                                                    {1000, 0.95, 469, 532},
                                                                    {100000, 0.95, 49690, 50311}}) {
        SCOPED_TRACE(n);
        const std::vector<double> values = counting(n);
        const std::optional<Interval> interval = median_interval(values, confidence);
        ASSERT_TRUE(interval);
        EXPECT_EQ(interval->low, low);
        EXPECT_EQ(interval->high, high);
    }
}

TEST(MedianInterval, NeedsEnoughValues)
{
    for (std::size_t n = 0; n < 6; ++n) EXPECT_FALSE(median_interval(counting(n), 0.95)) << n;
    EXPECT_FALSE(median_interval(counting(6), 0.975));
}

TEST(Verdicts, FollowFromTheInterval)
{
    const auto verdict = [](double low, double high) { return Comparison{1, Interval{low, high}, true}.verdict(); };
    EXPECT_EQ(verdict(1, 1), Verdict::same);
    EXPECT_EQ(verdict(0.981, 1.02), Verdict::same);
    EXPECT_EQ(verdict(1.001, 1.019), Verdict::same);
    EXPECT_EQ(verdict(0.98, 1.02), Verdict::ambiguous);  // 0.98 is below 1 / 1.02
    EXPECT_EQ(verdict(0.99, 1.021), Verdict::ambiguous);
    EXPECT_EQ(verdict(1.001, 1.021), Verdict::slower);
    EXPECT_EQ(verdict(1, 1.021), Verdict::ambiguous);
    EXPECT_EQ(verdict(0.97, 0.999), Verdict::faster);
    EXPECT_EQ(verdict(0.97, 1), Verdict::ambiguous);
    EXPECT_EQ((Comparison{1, std::nullopt, true}.verdict()), Verdict::undecided);
}

TEST(ComparePairs, TakesTheMedianOfRatios)
{
    // Ratios 3, 1, 2, 0.5, 4, 2.5.
    const std::vector<double> first{1, 10, 100, 2, 0.5, 4};
    const std::vector<double> second{3, 10, 200, 1, 2, 10};
    const Comparison comparison = compare_pairs(first, second);
    EXPECT_TRUE(comparison.in_pairs);
    EXPECT_EQ(comparison.ratio, 2.25);
    ASSERT_TRUE(comparison.interval);
    EXPECT_EQ(comparison.interval->low, 0.5);
    EXPECT_EQ(comparison.interval->high, 4);
}

TEST(CompareSamples, DividesTheMedians)
{
    const std::vector<double> first{7, 1, 2, 6, 5, 4, 3};
    const std::vector<double> second{20, 80, 70, 60, 50, 40, 30, 10, 90};
    const Comparison comparison = compare_samples(first, second);
    EXPECT_FALSE(comparison.in_pairs);
    EXPECT_EQ(comparison.ratio, 50.0 / 4);
    ASSERT_TRUE(comparison.interval);
    // Of 7 and of 9 values, the smallest and the largest at 97.5%.
    EXPECT_EQ(comparison.interval->low, 10.0 / 7);
    EXPECT_EQ(comparison.interval->high, 90.0 / 1);
    EXPECT_FALSE(compare_samples(std::vector<double>{1, 2, 3, 4, 5, 6}, second).interval);
}

}  // namespace
}  // namespace wayfront::report
