#include "algo/apsp/sampled_figures.hpp"

#include <algorithm>
#include <cmath>

#include "algo/apsp/compensated_sum.hpp"

namespace wayfront::algo {

namespace {

/// The error of the mean of figures from 0 to 1, with this probability of a larger one.
double error_of_mean(double sample, double population, double probability)
{
    if (sample >= population) return 0;
    const double left = 1 - (sample - 1) / population;
    return std::sqrt(left * std::log(2 / probability) / (2 * sample));
}

/// Whether the rows tell that all vertices with edges reach each other.
bool is_connected(const Summary& summary, const SampledGraph& graph)
{
    const auto others = static_cast<std::uint64_t>(graph.with_edges - 1);
    return !graph.directed &&
           std::ranges::any_of(summary.rows(), [others](const RowFacts& facts) { return facts.reached == others; });
}

/// The quotient of two estimates, whose errors both hold with the probability of the result's.
Estimate quotient(const Estimate& above, const Estimate& below)
{
    Estimate result{above.value / below.value};
    if (!above.error || !below.error || *below.error >= below.value) return result;
    const double most = (above.value + *above.error) / (below.value - *below.error);
    const double least = std::max(0.0, above.value - *above.error) / (below.value + *below.error);
    result.error = std::max(most - result.value, result.value - least);
    return result;
}

}  // namespace

SampledFigures sampled_figures_of(const Summary& summary, const SampledGraph& graph)
{
    CompensatedSum reached;
    CompensatedSum distances;
    CompensatedSum inverses;
    for (const RowFacts& facts : summary.rows()) {
        reached.add(static_cast<double>(facts.reached));
        distances.add(std::ldexp(facts.sum, static_cast<int>(facts.sum_exponent)));
        inverses.add(facts.inverse_sum);
    }
    const auto sample = static_cast<double>(summary.rows().size());
    const auto population = static_cast<double>(graph.with_edges);
    const double others = population - 1;  // the most vertices that one reaches
    const bool bounded = graph.most_distance > 0;
    const bool connected = is_connected(summary, graph);
    constexpr double improbable = 1 - Estimate::kConfidence;

    // The sum over all vertices of a figure of at most `most`.
    const auto total = [&](const CompensatedSum& sum, double most, double probability) {
        Estimate estimate{population * (sum.value() / sample)};
        estimate.error = population * most * error_of_mean(sample, population, probability);
        return estimate;
    };
    const auto pairs = [&](double probability) {
        Estimate estimate = total(reached, others, probability);
        if (connected) estimate.error = 0;
        return estimate;
    };
    const auto sum = [&](double probability) {
        Estimate estimate = total(distances, others * graph.most_distance, probability);
        if (!bounded) estimate.error = std::nullopt;
        return estimate;
    };

    SampledFigures figures;
    figures.reachable_pairs = pairs(improbable);
    figures.distance_sum = sum(improbable);
    if (reached.value() > 0)
        figures.average = connected ? quotient(sum(improbable), pairs(improbable))
                                    : quotient(sum(improbable / 2), pairs(improbable / 2));
    if (summary.is_full() && std::isfinite(inverses.value())) {
        Estimate efficiency = total(inverses, others, improbable);
        const double all_pairs = static_cast<double>(graph.vertices) * static_cast<double>(graph.vertices - 1);
        efficiency.value /= all_pairs;
        efficiency.error = bounded ? std::optional(*efficiency.error / all_pairs) : std::nullopt;
        figures.efficiency = efficiency;
    }
    return figures;
}

}  // namespace wayfront::algo
