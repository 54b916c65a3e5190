#include "report/charts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "report/html.hpp"

namespace wayfront::report {

namespace {

constexpr std::size_t kMostDots = 256;
constexpr std::size_t kStripParts = 64;
constexpr int kStripPixels = 30;
constexpr int kBarPixels = 110;

/// 1, 2 or 5 times a power of ten, not below `value`.
double round_step(double value)
{
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= value * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

/// A place in a chart.
struct Point
{
    double x;  // in per cent
    double y;  // in pixels, downwards
};

std::string svg(int height, std::string_view name, std::string_view content)
{
    return fmt::format(R"(<svg height="{}" role="img" aria-label="{}">{}</svg>)", height, escaped(name), content);
}

/// A chart with room for dots and labels beyond its ends.
std::string plot(int height, std::string_view name, std::string_view content)
{
    return fmt::format(R"(<div class="plot">{}</div>)", svg(height, name, content));
}

std::string line(const char* style, Point from, Point to)
{
    return fmt::format(R"(<line class="{}" x1="{:.2f}%" y1="{:.1f}" x2="{:.2f}%" y2="{:.1f}"/>)", style, from.x, from.y,
                       to.x, to.y);
}

std::string circle(const char* style, Point centre, std::string_view content = {})
{
    return fmt::format(R"(<circle class="{}" cx="{:.2f}%" cy="{:.1f}" r="4">{}</circle>)", style, centre.x, centre.y,
                       content);
}

std::string rectangle(const char* style, Point corner, double width, double height, std::string_view content = {})
{
    return fmt::format(R"(<rect class="{}" x="{:.2f}%" y="{:.1f}" width="{:.2f}%" height="{:.1f}">{}</rect>)", style,
                       corner.x, corner.y, width, height, content);
}

std::string text_at(Point place, const char* anchor, std::string_view text)
{
    return fmt::format(R"(<text x="{:.2f}%" y="{:.0f}" text-anchor="{}">{}</text>)", place.x, place.y, anchor,
                       escaped(text));
}

std::string title_of(const Mark& mark, std::string_view unit)
{
    return fmt::format("<title>{}: {}</title>", escaped(mark.name), with_unit(mark.value, unit));
}

std::string dots(std::span<const Mark> marks, const Axis& axis, std::string_view unit)
{
    constexpr std::size_t rows = 5;  // so that equal values are seen beside each other
    std::string content;
    for (std::size_t i = 0; i < marks.size(); ++i)
        content += circle("dot", {axis.per_cent(marks[i].value), 6 + 4 * static_cast<double>(i * 2 % rows)},
                          title_of(marks[i], unit));
    return content;
}

std::string density(std::span<const Mark> marks, const Axis& axis)
{
    std::vector<std::size_t> counts(kStripParts, 0);
    for (const Mark& mark : marks) {
        const auto part = static_cast<std::size_t>(axis.per_cent(mark.value) / 100 * kStripParts);
        ++counts[std::min(part, kStripParts - 1)];
    }
    const auto most = static_cast<double>(*std::ranges::max_element(counts));
    constexpr double width = 100.0 / kStripParts;
    std::string content;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double height = (kStripPixels - 2) * static_cast<double>(counts[i]) / most;
        content += rectangle("bar", {width * static_cast<double>(i), kStripPixels - height}, width, height,
                             fmt::format("<title>{} searches</title>", counts[i]));
    }
    return content;
}

template <typename Label>
std::string ticks_labelled(const Axis& axis, Label&& label)
{
    std::string content;
    for (const double tick : axis.ticks()) {
        const double at = axis.per_cent(tick);
        content += line("grid", {at, 0}, {at, 5});
        content += text_at({at, 18}, at < 5 ? "start" : at > 95 ? "end" : "middle", label(tick));
    }
    return plot(22, "scale", content);
}

}  // namespace

Axis Axis::linear(double highest)
{
    return {0, highest > 0 ? highest : 1, false};
}

Axis Axis::logarithmic(double lowest, double highest)
{
    constexpr double margin = 1.05;
    return {lowest / margin, highest * margin, true};
}

double Axis::per_cent(double value) const
{
    if (!by_logarithms_) return 100 * (value - low_) / (high_ - low_);
    return 100 * std::log(value / low_) / std::log(high_ / low_);
}

std::vector<double> Axis::ticks() const
{
    constexpr double parts = 6;
    std::vector<double> ticks;
    constexpr double most_decades = 3;  // axes up to this length have ticks at 1, 2 and 5
    const double decades = by_logarithms_ ? std::log10(high_ / low_) : 0;
    if (decades > 1 && decades <= most_decades) {
        const double first = std::floor(std::log10(low_));
        for (int i = 0; i <= static_cast<int>(most_decades) + 1; ++i)
            for (const double factor : {1.0, 2.0, 5.0})
                if (const double tick = factor * std::pow(10, first + i); tick >= low_ && tick <= high_)
                    ticks.push_back(tick);
        return ticks;
    }
    if (decades > 1) {
        const double step = std::max(1.0, std::ceil(decades / parts));
        const double first = std::ceil(std::log10(low_));
        for (int i = 0; first + i * step <= std::log10(high_); ++i) ticks.push_back(std::pow(10, first + i * step));
        return ticks;
    }
    const double step = round_step((high_ - low_) / parts);
    const double first = std::ceil(low_ / step);
    for (int i = 0; (first + i) * step <= high_; ++i) ticks.push_back((first + i) * step);
    return ticks;
}

std::string chart_row(std::string_view label, std::string_view picture)
{
    return fmt::format("<div class=\"row\"><div class=\"of\">{}</div>{}</div>\n", escaped(label), picture);
}

std::string joined_rows(const std::vector<LabelledPicture>& all)
{
    std::vector<LabelledPicture> different;
    for (const LabelledPicture& one : all) {
        const auto equal = std::ranges::find(different, one.picture, &LabelledPicture::picture);
        if (equal == different.end())
            different.push_back(one);
        else
            equal->label += "; " + one.label;
    }
    std::string rows;
    for (const auto& [label, picture] : different) rows += chart_row(label, picture);
    return rows;
}

std::string figure(std::string_view caption, std::string_view rows)
{
    return fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", escaped(caption), rows);
}

std::string ticks_of(const Axis& axis, std::string_view unit)
{
    return ticks_labelled(axis, [unit](double tick) { return with_unit(tick, unit); });
}

std::string ratio_ticks(const Axis& axis)
{
    return ticks_labelled(axis, [](double tick) { return fmt::format("{:.4g}", tick); });
}

std::string stacked_bar(std::span<const Part> parts, double most, std::string_view unit)
{
    std::string content;
    for (const Part& part : parts)
        content += fmt::format(R"(<span style="width:{:.2f}%;background:{}" title="{}: {}">{}</span>)",
                               most > 0 ? 100 * part.value / most : 0, part.colour, escaped(part.name),
                               with_unit(part.value, unit), with_unit(part.value, unit));
    return fmt::format(R"(<div class="stack">{}</div>)", content);
}

std::string legend(std::span<const Part> parts)
{
    std::string content;
    for (const Part& part : parts)
        content += fmt::format(R"(<span><i style="background:{}"></i>{}</span>)", part.colour, escaped(part.name));
    return fmt::format("<div class=\"legend\">{}</div>\n", content);
}

std::string strip(std::span<const Mark> marks, const Axis& axis, std::string_view unit)
{
    std::vector<double> values;
    std::ranges::transform(marks, std::back_inserter(values), &Mark::value);
    const double median = median_of(values);
    std::string content = line("grid", {0, kStripPixels}, {100, kStripPixels});
    content += marks.size() <= kMostDots ? dots(marks, axis, unit) : density(marks, axis);
    content += line("median", {axis.per_cent(median), 0}, {axis.per_cent(median), kStripPixels});
    return plot(kStripPixels + 1, fmt::format("{} searches, median {}", marks.size(), with_unit(median, unit)),
                content);
}

std::string ratio_plot(const Comparison& comparison, const Axis& axis)
{
    constexpr double height = 20;
    constexpr double cap = 5;  // half of the height of an end of an interval
    const double from = axis.per_cent(1 / (1 + kSameWithin));
    std::string content = rectangle("band", {from, 0}, axis.per_cent(1 + kSameWithin) - from, height);
    content += line("grid", {axis.per_cent(1), 0}, {axis.per_cent(1), height});
    std::string name = fmt::format("ratio {:.4g}, no interval", comparison.ratio);
    if (const std::optional<Interval>& interval = comparison.interval) {
        name = fmt::format("ratio {:.4g}, interval from {:.4g} to {:.4g}", comparison.ratio, interval->low,
                           interval->high);
        const double low = axis.per_cent(interval->low);
        const double high = axis.per_cent(interval->high);
        content += line("line", {low, height / 2}, {high, height / 2});
        for (const double end : {low, high}) content += line("line", {end, height / 2 - cap}, {end, height / 2 + cap});
    }
    content += circle(comparison.interval ? "mean" : "open-mean", {axis.per_cent(comparison.ratio), height / 2},
                      fmt::format("<title>{}</title>", name));
    return plot(static_cast<int>(height), name, content);
}

std::string bars(std::span<const Mark> marks, std::string_view unit)
{
    double most = 0;
    for (const Mark& mark : marks) most = std::max(most, mark.value);
    const double width = 100.0 / static_cast<double>(marks.size());
    constexpr int top = 16;  // the upper end of the highest bar
    constexpr int foot = top + kBarPixels;
    std::string content = text_at({0, 11}, "start", fmt::format("at most {}", with_unit(most, unit)));
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const double height = most > 0 ? kBarPixels * marks[i].value / most : 0;
        content += rectangle("bar", {width * (static_cast<double>(i) + 0.05), foot - height}, width * 0.9, height,
                             title_of(marks[i], unit));
    }
    content += line("grid", {0, foot}, {100, foot}) + text_at({0, foot + 15}, "start", marks.front().name);
    if (marks.size() > 1) content += text_at({100, foot + 15}, "end", marks.back().name);
    return svg(foot + 20, fmt::format("{} bars", marks.size()), content);
}

std::string scaling_plot(std::span<const ScalingPoint> points)
{
    constexpr int height = 180;
    constexpr int foot = height + 26;  // below the labels of the lowest points
    const auto by_speed = std::ranges::minmax(points, {}, &ScalingPoint::speed_up);
    const ScalingPoint first{points.front().ranks, 1};
    const ScalingPoint ideal{points.back().ranks, points.back().ranks / first.ranks};
    const Axis ranks = Axis::logarithmic(first.ranks, ideal.ranks);
    const Axis speed = Axis::logarithmic(by_speed.min.speed_up, std::max(by_speed.max.speed_up, ideal.speed_up));
    const auto place_of = [&](const ScalingPoint& point) {
        return Point{ranks.per_cent(point.ranks), height - height * speed.per_cent(point.speed_up) / 100};
    };
    std::string content = line("ideal", place_of(first), place_of(ideal));
    content += text_at({100, place_of(ideal).y - 6}, "end", "as many times as ranks");
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point at = place_of(points[i]);
        if (i > 0) content += line("line", place_of(points[i - 1]), at);
        content += circle("mean", at) + text_at({at.x, at.y + 18}, "middle", fmt::format("{:.3g}", points[i].speed_up));
        content += line("grid", {at.x, foot}, {at.x, foot + 5});
        content +=
            text_at({at.x, foot + 18}, "middle", counted(static_cast<std::int64_t>(points[i].ranks), "rank", "ranks"));
    }
    return plot(foot + 22, "speed-up by ranks", content);
}

}  // namespace wayfront::report
