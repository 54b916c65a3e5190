// The statistics of a Graph500 report, as its specification defines them.
//
// The first quartile of n sorted values x is (x[(n-1)/4] + x[n/4]) / 2, their median is
// (x[(n-1)/2] + x[n/2]) / 2, and their third quartile (x[n-1-(n-1)/4] + x[n-1-n/4]) / 2; the
// indices are integer divisions. The standard deviation divides by n - 1 and is NaN for n = 1.
//
// TEPS are ratios, whose average is the harmonic mean: all statistics of TEPS are those of seconds
// per edge, inverted. The standard deviation of the harmonic mean is stddev(1/TEPS) /
// (mean(1/TEPS)^2 sqrt(n - 1)).
//
// Paper: N. Norris: The standard errors of the geometric and harmonic means and their application
// to index numbers. The Annals of Mathematical Statistics 11(4), 1940, pp. 445-448,
// doi:10.1214/aoms/1177731830.
#pragma once

#include <span>

namespace wayfront::graph500 {

struct Statistics
{
    double min;
    double first_quartile;
    double median;
    double third_quartile;
    double max;
    double mean;
    double stddev;
};

/// Pre: values is not empty.
Statistics statistics(std::span<const double> values);

struct TepsStatistics
{
    double min;
    double first_quartile;
    double median;
    double third_quartile;
    double max;
    double harmonic_mean;
    double harmonic_stddev;
};

/// The statistics of searches that traversed edges[i] edges in seconds[i]. Pre: the spans have the
/// same length, which is not 0, and all values are above 0.
TepsStatistics teps_statistics(std::span<const double> edges, std::span<const double> seconds);

}  // namespace wayfront::graph500
