#include "model/link_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace wayfront::model {

namespace {

/// The times of one kind of steps among one number of ranks, by bytes.
struct Curve
{
    std::vector<comm::StepPoint> points;

    [[nodiscard]] double latency() const { return points.front().seconds; }
    /// The rate of the largest step, without its latency.
    [[nodiscard]] double bytes_per_second(double latency) const
    {
        const comm::StepPoint& last = points.back();
        return static_cast<double>(last.bytes) / std::max(last.seconds - latency, last.seconds * 1e-3);
    }
};

std::vector<Curve> curves_of(std::span<const comm::StepPoint> points, comm::Step step)
{
    std::vector<Curve> curves;
    for (const comm::StepPoint& point : points) {
        if (point.step != step) continue;
        if (curves.empty() || curves.back().points.front().ranks != point.ranks) curves.emplace_back();
        curves.back().points.push_back(point);
    }
    for (Curve& curve : curves) std::ranges::sort(curve.points, {}, &comm::StepPoint::bytes);
    return curves;
}

/// Fits step + doubling * log2(ranks) to the latencies of gathers. A line through points whose numbers
/// would be negative goes through the origin, or is level.
void fit_latency(const std::vector<Curve>& curves, Link& link)
{
    double x_sum = 0;
    double y_sum = 0;
    double xx = 0;
    double xy = 0;
    for (const Curve& curve : curves) {
        const double x = std::log2(curve.points.front().ranks);
        x_sum += x;
        y_sum += curve.latency();
        xx += x * x;
        xy += x * curve.latency();
    }
    const auto count = static_cast<double>(curves.size());
    const double spread = count * xx - x_sum * x_sum;
    link.doubling = spread > 0 ? (count * xy - x_sum * y_sum) / spread : xy / xx;
    link.step = (y_sum - link.doubling * x_sum) / count;
    if (link.step < 0 || spread <= 0) {
        link.step = 0;
        link.doubling = xy / xx;
    }
    if (link.doubling < 0) {
        link.doubling = 0;
        link.step = y_sum / count;
    }
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

}  // namespace

Link fit_link(std::span<const comm::StepPoint> points, LinkEnds ends)
{
    const std::vector<Curve> gathers = curves_of(points, comm::Step::all_gather);
    const std::vector<Curve> exchanges = curves_of(points, comm::Step::all_to_all);
    Link link;
    fit_latency(gathers, link);
    std::vector<double> rates;
    rates.reserve(gathers.size() + exchanges.size());
    for (const Curve& curve : gathers)
        rates.push_back(curve.bytes_per_second(link.latency(curve.points.front().ranks)));
    // The messages of an all-to-all are on their way together.
    for (const Curve& curve : exchanges) rates.push_back(curve.bytes_per_second(link.latency(2)));
    link.bytes_per_second = median(rates);
    // The time of each further message of an all-to-all; of few ranks it would be noise.
    constexpr int least_ranks = 4;
    const Curve& largest = exchanges.back();
    if (const int ranks = largest.points.front().ranks; ends == LinkEnds::hosts && ranks >= least_ranks)
        link.message = std::max(0.0, (largest.latency() - link.latency(2)) / (ranks - 2));
    link.uncertainty = 1.1;
    for (const comm::StepPoint& point : points)
        link.uncertainty = std::max(link.uncertainty,
                                    std::exp(std::abs(std::log(planned_seconds(link, ends, point) / point.seconds))));
    return link;
}

double planned_seconds(const Link& link, LinkEnds ends, const comm::StepPoint& point)
{
    Network network;
    network.inside = link;
    network.between = link;
    const GridGroups groups({point.ranks, 1}, ends == LinkEnds::ranks ? point.ranks : 1);
    const bool gathers = point.step == comm::Step::all_gather;
    return step_time(network, groups,
                     {gathers ? Collective::all_gather : Collective::all_to_all, StepGroup::world,
                      static_cast<double>(point.bytes)})
        .sum();
}

}  // namespace wayfront::model
