// Estimates of figures of all vertices from the rows of some, which were drawn at random.
//
// The sources are a sample without replacement of the vertices that have edges, each set of them
// being equally likely; the rows of the other vertices are known to be empty. The mean of a figure
// over the sample estimates the mean over all of them. Each estimate has two half-widths of intervals
// of 95%:
//   * The error is that of the normal approximation, 1.96 sqrt((1 - K / N) V / K) for the mean of a
//     sample of K of N vertices with variance V. For the quotient of two means, V is the variance of
//     the residuals: W. G. Cochran, "Sampling Techniques", 3rd edition, Wiley 1977, sections 2.6 and
//     2.11. The error is given if K >= 30 and K > 25 G^2, with the skewness G of the sample (section 2.15):
//     otherwise, a few vertices that are not in the sample may change the mean.
//   * The bound holds for any graph: the probability that the true value is farther away is at most
//     5%. The bound requires a range of the figure, in units of which the figure is between 0 and 1. True
//     means m are in the interval that fulfil both of these, each of which holds with 97.5%:
//       - K (x ln(x / m) + (1 - x) ln((1 - x) / (1 - m))) <= ln(2 / 0.025), where x is the mean of the
//         sample: W. Hoeffding, "Probability Inequalities for Sums of Bounded Random Variables",
//         Journal of the American Statistical Association 58, 1963, theorem 1 and section 6
//       - |x - m| <= sqrt(2 R V L / K) + (7/3 + 3 / sqrt(2)) L / K with L = ln(10 / 0.025): R. Bardenet
//         and O.-A. Maillard, "Concentration Inequalities for Sampling without Replacement", Bernoulli
//         21, 2015, doi 10.3150/14-BEJ605, section 4, which defines R, about 1 - K / N
//     A quotient q is in the interval if it agrees with the mean of numerator - q denominator, which is
//     0 for the true one.
// The number of reachable pairs also has certain limits (algo/reachable_pairs.hpp). Its intervals end
// at these limits. If the limits are equal, the number has no error.
#pragma once

#include <cstddef>
#include <optional>

#include "algo/apsp/summary.hpp"
#include "algo/reachable_pairs.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

struct SampledGraph
{
    Vertex vertices = 0;
    Vertex with_edges = 0;                 // the number of vertices with edges, from which the sources were drawn
    std::optional<PairLimits> pairs = {};  // the limits of the whole graph, if they are known
    /// Upper bound of the distances; 0 if none is known. Estimates of distances then have no bound.
    double most_distance = 0;
    double least_distance = 1;  // lower bound of the distances other than 0
};

/// A figure of the whole graph.
struct Estimate
{
    static constexpr double kConfidence = 0.95;

    double value = 0;
    std::optional<double> error = {};  // by the normal approximation; none if that may be wrong
    std::optional<double> bound = {};  // for any graph; none if the figure has no range
};

struct SampledFigures
{
    Estimate reachable_pairs;
    Estimate distance_sum;               // the sum of the distances of reachable pairs
    std::optional<Estimate> average;     // the average distance of these pairs; none if the sample has no pair
    std::optional<Estimate> efficiency;  // none without full detail, or if harmonic closeness is not defined
};

/// Pre: `summary` has the rows of at least one source, drawn as above, and no distance is negative.
[[nodiscard]] SampledFigures sampled_figures_of(const Summary& summary, const SampledGraph& graph);

}  // namespace wayfront::algo
