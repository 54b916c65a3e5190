// The difference of two runs, from the times of their searches.
//
// Searches from the same vertices of the same graph are compared in pairs: the estimate is the
// median of the ratios of their times. Otherwise it is the ratio of the medians.
//
// Intervals are free of assumptions on the distribution of times. Of n independent values, each is
// above the median of their distribution with a probability of 1/2, so the k-th smallest and the
// k-th largest value enclose the median unless fewer than k values lie on one side of it; the number
// of these is binomial. For the ratio of two medians, each median has an interval of half the error.
// Source: W. R. Thompson, "On confidence ranges for the median and other expectation distributions
// for populations of unknown distribution form", Annals of Mathematical Statistics 7(3), 1936,
// doi:10.1214/aoms/1177732502.
#pragma once

#include <optional>
#include <span>

namespace wayfront::report {

inline constexpr double kConfidence = 0.95;
inline constexpr double kSameWithin = 0.02;  // the distance of a ratio from one, for Verdict::same

struct Interval
{
    double low;
    double high;
};

/// The second run against the first one.
enum class Verdict {
    same,       // the whole interval is within kSameWithin of one
    faster,     // else the whole interval is below one
    slower,     // else the whole interval is above one
    ambiguous,  // else
    undecided,  // there is no interval
};

struct Comparison
{
    double ratio;                      // the time of the second searches, divided by that of the first
    std::optional<Interval> interval;  // with kConfidence; none if there are too few searches
    bool in_pairs;

    [[nodiscard]] Verdict verdict() const;
};

/// The shortest interval of two of the values, symmetric in their order, that contains the median of
/// their distribution with at least this confidence; none if there are too few values. Pre: `sorted`
/// is ascending.
[[nodiscard]] std::optional<Interval> median_interval(std::span<const double> sorted, double confidence);

/// The median of the values. Pre: there is at least one.
[[nodiscard]] double median_of(std::span<const double> values);

/// Compares times of searches whose i-th ones start from the same vertex. Pre: the spans have the same
/// length, which is not 0; all times are above 0.
[[nodiscard]] Comparison compare_pairs(std::span<const double> first, std::span<const double> second);

/// Compares times of any searches. Pre: no span is empty; all times are above 0.
[[nodiscard]] Comparison compare_samples(std::span<const double> first, std::span<const double> second);

}  // namespace wayfront::report
