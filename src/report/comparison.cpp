#include "report/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "graph500/statistics.hpp"

namespace wayfront::report {

namespace {

std::vector<double> ascending(std::span<const double> values)
{
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    return sorted;
}

/// The probability that `count` of `n` fair coins show heads.
double binomial(double n, double count)
{
    return std::exp(std::lgamma(n + 1) - std::lgamma(count + 1) - std::lgamma(n - count + 1) - n * std::numbers::ln2);
}

}  // namespace

Verdict Comparison::verdict() const
{
    if (!interval) return Verdict::undecided;
    if (interval->low >= 1 / (1 + kSameWithin) && interval->high <= 1 + kSameWithin) return Verdict::same;
    if (interval->high < 1) return Verdict::faster;
    return interval->low > 1 ? Verdict::slower : Verdict::ambiguous;
}

std::optional<Interval> median_interval(std::span<const double> sorted, double confidence)
{
    const std::size_t n = sorted.size();
    const double most_on_a_side = (1 - confidence) / 2;  // the probability that a bound is wrong
    std::size_t outside = 0;                             // values on each side of the interval
    double probability = 0;                              // the probability that at most `outside` values are on a side
    while (2 * outside < n) {
        probability += binomial(static_cast<double>(n), static_cast<double>(outside));
        if (probability > most_on_a_side) break;
        ++outside;
    }
    if (outside == 0) return std::nullopt;
    return Interval{sorted[outside - 1], sorted[n - outside]};
}

double median_of(std::span<const double> values)
{
    return graph500::statistics(values).median;
}

Comparison compare_pairs(std::span<const double> first, std::span<const double> second)
{
    std::vector<double> ratios(first.size());
    std::ranges::transform(second, first, ratios.begin(), [](double time, double before) { return time / before; });
    std::ranges::sort(ratios);
    return {median_of(ratios), median_interval(ratios, kConfidence), true};
}

Comparison compare_samples(std::span<const double> first, std::span<const double> second)
{
    constexpr double of_each = 1 - (1 - kConfidence) / 2;
    const std::optional<Interval> before = median_interval(ascending(first), of_each);
    const std::optional<Interval> after = median_interval(ascending(second), of_each);
    Comparison comparison{median_of(second) / median_of(first), std::nullopt, false};
    if (before && after) comparison.interval = Interval{after->low / before->high, after->high / before->low};
    return comparison;
}

}  // namespace wayfront::report
