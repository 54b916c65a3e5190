#include "graph500/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace wayfront::graph500 {

Statistics statistics(std::span<const double> values)
{
    const std::size_t n = values.size();
    double sum = 0;
    for (const double value : values) sum += value;
    const double mean = sum / static_cast<double>(n);
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);

    std::vector<double> x(values.begin(), values.end());
    std::ranges::sort(x);
    const auto middle = [&x](std::size_t i, std::size_t j) { return (x[i] + x[j]) / 2; };
    return {
        .min = x.front(),
        .first_quartile = middle((n - 1) / 4, n / 4),
        .median = middle((n - 1) / 2, n / 2),
        .third_quartile = middle(n - 1 - (n - 1) / 4, n - 1 - n / 4),
        .max = x.back(),
        .mean = mean,
        .stddev = n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : std::numeric_limits<double>::quiet_NaN(),
    };
}

TepsStatistics teps_statistics(std::span<const double> edges, std::span<const double> seconds)
{
    std::vector<double> seconds_per_edge(edges.size());
    std::ranges::transform(seconds, edges, seconds_per_edge.begin(), std::divides<>());
    const Statistics inverse = statistics(seconds_per_edge);
    return {
        .min = 1 / inverse.max,
        .first_quartile = 1 / inverse.third_quartile,
        .median = 1 / inverse.median,
        .third_quartile = 1 / inverse.first_quartile,
        .max = 1 / inverse.min,
        .harmonic_mean = 1 / inverse.mean,
        .harmonic_stddev =
            inverse.stddev / (inverse.mean * inverse.mean * std::sqrt(static_cast<double>(edges.size()) - 1)),
    };
}

}  // namespace wayfront::graph500
