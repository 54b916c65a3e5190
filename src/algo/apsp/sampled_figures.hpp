// Estimates of figures of all vertices from the rows of some, which were drawn at random.
//
// The sources are a sample without replacement of the vertices that have edges, each set of them
// being equally likely; the rows of the other vertices are known to be empty. The mean of a figure
// over the sample estimates the mean over all of them. If the figure of every vertex lies between 0
// and R, the mean of a sample of K of N vertices differs from the mean over all N by more than
//
//     R * sqrt((1 - (K - 1) / N) * ln(2 / p) / (2 K))
//
// with probability of at most p, whatever the graph is: W. Hoeffding, "Probability Inequalities for
// Sums of Bounded Random Variables", Journal of the American Statistical Association 58, 1963, with
// the factor for samples without replacement of R. J. Serfling, "Probability Inequalities for the Sum
// in Sampling without Replacement", The Annals of Statistics 2, 1974. D. Eppstein and J. Wang, "Fast
// Approximation of Centrality", Journal of Graph Algorithms and Applications 8, 2004, bound the
// average distance of each vertex from a sample of the others in the same way.
#pragma once

#include <cstddef>
#include <optional>

#include "algo/apsp/summary.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

struct SampledGraph
{
    Vertex vertices = 0;
    Vertex with_edges = 0;  // of which the sources were drawn
    bool directed = false;
    /// Upper bound of whole distances other than 0, of which none is below 1. 0 if distances are
    /// floats, of which no bound is known; estimates then have no error.
    double most_distance = 0;
};

/// A figure of the whole graph. Its true value differs from `value` by at most `error`, with
/// probability of at least kConfidence for each estimate by itself.
struct Estimate
{
    static constexpr double kConfidence = 0.95;

    double value = 0;
    std::optional<double> error = {};  // none if there is no bound
};

struct SampledFigures
{
    Estimate reachable_pairs;
    Estimate distance_sum;               // of the reachable pairs
    std::optional<Estimate> average;     // of their distances; none if the sample has no pair
    std::optional<Estimate> efficiency;  // none without full detail, or if harmonic closeness is not defined
};

/// Pre: `summary` has the rows of at least one source, drawn as above, and no distance is negative.
[[nodiscard]] SampledFigures sampled_figures_of(const Summary& summary, const SampledGraph& graph);

}  // namespace wayfront::algo
