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
    [[nodiscard]] double bytes_per_second() const
    {
        const comm::StepPoint& first = points.front();
        const comm::StepPoint& last = points.back();
        const double seconds = std::max(last.seconds - first.seconds, last.seconds * 1e-3);
        return static_cast<double>(last.bytes - first.bytes) / seconds;
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

Link fit_link(std::span<const comm::StepPoint> points)
{
    const std::vector<Curve> gathers = curves_of(points, comm::Step::all_gather);
    const std::vector<Curve> exchanges = curves_of(points, comm::Step::all_to_all);
    Link link;
    fit_latency(gathers, link);
    std::vector<double> rates;
    for (const std::vector<Curve>* const curves : {&gathers, &exchanges})
        for (const Curve& curve : *curves) rates.push_back(curve.bytes_per_second());
    link.bytes_per_second = median(rates);
    // Of the messages of an all-to-all, more than one after the other.
    std::vector<double> messages{0};
    for (const Curve& curve : exchanges)
        if (const int ranks = curve.points.front().ranks; ranks > 2)
            messages.push_back((curve.latency() - link.latency(2)) / (ranks - 2));
    link.message = std::max(0.0, *std::ranges::max_element(messages));
    link.uncertainty = 1.1;
    for (const comm::StepPoint& point : points)
        link.uncertainty =
            std::max(link.uncertainty, std::exp(std::abs(std::log(step_seconds(link, point) / point.seconds))));
    return link;
}

double step_seconds(const Link& link, const comm::StepPoint& point)
{
    const double bytes = static_cast<double>(point.bytes) / link.bytes_per_second;
    if (point.step == comm::Step::all_gather) return link.latency(point.ranks) + bytes;
    return link.latency(std::min(point.ranks, 2)) + std::max(bytes, link.message * (point.ranks - 2));
}

}  // namespace wayfront::model
