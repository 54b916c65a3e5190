#include "algo/apsp/sampled_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "algo/apsp/compensated_sum.hpp"

namespace wayfront::algo {

namespace {

constexpr double kImprobable = 1 - Estimate::kConfidence;

/// The figures of the sample's vertices.
using Figures = std::vector<double>;

double mean_of(const Figures& figures)
{
    CompensatedSum sum;
    for (const double figure : figures) sum.add(figure);
    return sum.value() / static_cast<double>(figures.size());
}

/// The mean of the products of the deviations of two figures.
double covariance(const Figures& one, const Figures& other)
{
    const double mean = mean_of(one);
    const double other_mean = mean_of(other);
    CompensatedSum sum;
    for (std::size_t i = 0; i < one.size(); ++i) sum.add((one[i] - mean) * (other[i] - other_mean));
    return sum.value() / static_cast<double>(one.size());
}

/// Pre: variance > 0.
double skewness(const Figures& figures, double variance)
{
    const double mean = mean_of(figures);
    CompensatedSum sum;
    for (const double figure : figures) sum.add(std::pow((figure - mean) / std::sqrt(variance), 3));
    return sum.value() / static_cast<double>(figures.size());
}

/// The value farthest from `value` towards `limit` for which covers() is true, or one beyond it. Pre:
/// it is true for `value`.
template <typename Covers>
double farthest(double value, double limit, const Covers& covers)
{
    constexpr int steps = 256;
    constexpr int halvings = 60;
    double outside = limit;
    double inside = value;
    for (int i = 0; i < steps; ++i) {
        const double at = limit + (value - limit) * i / steps;
        if (covers(at)) {
            inside = at;
            break;
        }
        outside = at;
    }
    if (inside == limit) return limit;
    for (int i = 0; i < halvings; ++i) {
        const double middle = inside + (outside - inside) / 2;
        (covers(middle) ? inside : outside) = middle;
    }
    return outside;
}

template <typename Covers>
double half_width(double value, double least, double most, const Covers& covers)
{
    return std::max(farthest(value, most, covers) - value, value - farthest(value, least, covers));
}

/// The share of x ln(x / m) of the relative entropy.
double entropy_term(double sample, double mean)
{
    if (sample <= 0) return 0;
    return mean <= 0 ? std::numeric_limits<double>::infinity() : sample * std::log(sample / mean);
}

/// A sample without replacement.
class Sample
{
public:
    Sample(std::size_t size, Vertex population)
        : size_(static_cast<double>(size)), population_(static_cast<double>(population))
    {
    }

    [[nodiscard]] bool is_whole() const { return size_ >= population_; }

    /// The error of the mean of figures; `scale` is the magnitude of the numbers that they were made of.
    [[nodiscard]] std::optional<double> error_of_mean(const Figures& figures, double scale) const
    {
        constexpr double least_sample = 30;
        constexpr double least_by_skewness = 25;
        constexpr double rounding = 1e-12;
        constexpr double quantile = 1.959964;  // the two-sided 95% quantile of the normal distribution
        if (is_whole()) return 0;
        if (size_ < least_sample) return std::nullopt;
        const double variance = covariance(figures, figures);
        if (!(std::sqrt(variance) > rounding * scale) || !std::isfinite(variance)) return std::nullopt;
        if (size_ <= least_by_skewness * std::pow(skewness(figures, variance), 2)) return std::nullopt;
        return quantile * std::sqrt((1 - size_ / population_) * variance / (size_ - 1));
    }

    /// Whether figures from 0 to 1 may have this mean over all vertices, if the sample has the mean
    /// `sampled` and the variance `variance`.
    [[nodiscard]] bool covers(double mean, double sampled, double variance) const
    {
        constexpr double each = kImprobable / 2;
        const double entropy = entropy_term(sampled, mean) + entropy_term(1 - sampled, 1 - mean);
        if (size_ * entropy > std::log(2 / each)) return false;
        const double left =
            size_ <= population_ / 2 ? 1 - (size_ - 1) / population_ : (1 - size_ / population_) * (1 + 1 / size_);
        const double log = std::log(2 * 5 / each);
        constexpr double of_range = 7.0 / 3 + 3 / std::numbers::sqrt2;
        return std::abs(sampled - mean) <=
               std::sqrt(2 * left * std::max(0.0, variance) * log / size_) + of_range * log / size_;
    }

private:
    double size_;
    double population_;
};

/// The mean of figures from 0 to `most`, which is 0 if it is not known.
Estimate estimate_mean(const Sample& sample, const Figures& figures, double most)
{
    const double mean = mean_of(figures);
    Estimate estimate{mean, sample.error_of_mean(figures, mean)};
    if (sample.is_whole()) {
        estimate.bound = 0;
    } else if (most > 0) {
        const double variance = covariance(figures, figures) / (most * most);
        const auto covers = [&](double value) { return sample.covers(value / most, mean / most, variance); };
        estimate.bound = half_width(mean, 0, most, covers);
    }
    return estimate;
}

/// The quotient of the means of distances and of reached shares; distances are from 0 to `most` times
/// the reached share, which is from 0 to 1.
Estimate estimate_quotient(const Sample& sample, const Figures& distances, const Figures& reached, double most)
{
    const double distance = mean_of(distances);
    const double share = mean_of(reached);
    Estimate estimate{distance / share};
    Figures residuals(distances.size());
    for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = distances[i] - estimate.value * reached[i];
    estimate.error = sample.error_of_mean(residuals, distance);
    if (estimate.error) *estimate.error /= share;
    if (sample.is_whole()) {
        estimate.bound = 0;
    } else if (most > 0) {
        // distances - q reached is between -q and most - q.
        const double of_distances = covariance(distances, distances);
        const double of_both = covariance(distances, reached);
        const double of_reached = covariance(reached, reached);
        const auto covers = [&](double q) {
            const double variance = of_distances - 2 * q * of_both + q * q * of_reached;
            return sample.covers(q / most, (distance - q * share + q) / most, variance / (most * most));
        };
        estimate.bound = half_width(estimate.value, 0, most, covers);
    }
    return estimate;
}

void scale(Estimate& estimate, double factor)
{
    estimate.value *= factor;
    if (estimate.error) *estimate.error *= factor;
    if (estimate.bound) *estimate.bound *= factor;
}

/// Moves the estimate into limits of the true value, which keeps its intervals true.
void limit_to(Estimate& estimate, double at_least, double at_most)
{
    estimate.value = std::clamp(estimate.value, at_least, at_most);
    const double farthest_limit = std::max(estimate.value - at_least, at_most - estimate.value);
    for (std::optional<double>* width : {&estimate.error, &estimate.bound})
        if (*width || farthest_limit == 0) *width = std::min(width->value_or(0), farthest_limit);
}

}  // namespace

SampledFigures sampled_figures_of(const Summary& summary, const SampledGraph& graph)
{
    // Figures are divided by the number of vertices that a vertex can reach.
    const auto others = static_cast<double>(std::max<Vertex>(1, graph.with_edges - 1));
    Figures reached;
    Figures distances;
    Figures inverses;
    for (const RowFacts& facts : summary.rows()) {
        reached.push_back(static_cast<double>(facts.reached) / others);
        distances.push_back(std::ldexp(facts.sum, static_cast<int>(facts.sum_exponent)) / others);
        inverses.push_back(facts.inverse_sum / others);
    }
    const Sample sample(summary.rows().size(), graph.with_edges);
    double most_inverse = graph.most_distance > 0 ? 1 / graph.least_distance : 0;
    if (!std::isfinite(most_inverse)) most_inverse = 0;  // not known
    const double pairs = static_cast<double>(graph.with_edges) * others;

    SampledFigures figures;
    figures.reachable_pairs = estimate_mean(sample, reached, 1);
    figures.distance_sum = estimate_mean(sample, distances, graph.most_distance);
    if (figures.reachable_pairs.value > 0)
        figures.average = estimate_quotient(sample, distances, reached, graph.most_distance);
    if (summary.is_full() && std::ranges::all_of(inverses, [](double sum) { return std::isfinite(sum); })) {
        figures.efficiency = estimate_mean(sample, inverses, most_inverse);
        scale(*figures.efficiency,
              pairs / (static_cast<double>(graph.vertices) * static_cast<double>(graph.vertices - 1)));
    }
    scale(figures.reachable_pairs, pairs);
    if (graph.pairs)
        limit_to(figures.reachable_pairs, static_cast<double>(graph.pairs->at_least),
                 static_cast<double>(graph.pairs->at_most));
    scale(figures.distance_sum, pairs);
    return figures;
}

}  // namespace wayfront::algo
