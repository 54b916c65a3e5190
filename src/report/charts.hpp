// Charts of a page as HTML and SVG. They are as wide as the page: horizontal positions are in per
// cent, vertical ones in pixels, so that texts keep their size.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/comparison.hpp"

namespace wayfront::report {

/// Positions of numbers between the ends of a chart.
class Axis
{
public:
    /// A linear axis from 0 to the highest value.
    static Axis linear(double highest);
    /// A logarithmic axis that contains both values. Pre: they are above 0.
    static Axis logarithmic(double lowest, double highest);

    [[nodiscard]] double per_cent(double value) const;
    /// Values at equal or nearly equal distances, with at most three digits.
    [[nodiscard]] std::vector<double> ticks() const;

private:
    Axis(double low, double high, bool by_logarithms) : low_(low), high_(high), by_logarithms_(by_logarithms) {}

    double low_;
    double high_;
    bool by_logarithms_;
};

struct Part
{
    std::string name;
    double value;
    std::string colour;
};

/// A row of a chart: its label, which is a text, above its picture, which is HTML.
[[nodiscard]] std::string chart_row(std::string_view label, std::string_view picture);

struct LabelledPicture
{
    std::string label;
    std::string picture;
};

/// Rows of which those with the same picture are one.
[[nodiscard]] std::string joined_rows(const std::vector<LabelledPicture>& all);

/// Rows with a caption, which is a text.
[[nodiscard]] std::string figure(std::string_view caption, std::string_view rows);

/// The ticks below rows of one axis, with prefixes. `unit` is empty, or short.
[[nodiscard]] std::string ticks_of(const Axis& axis, std::string_view unit);

/// The ticks below rows of ratios.
[[nodiscard]] std::string ratio_ticks(const Axis& axis);

/// Parts beside each other; the whole width is `most`.
[[nodiscard]] std::string stacked_bar(std::span<const Part> parts, double most, std::string_view unit);
[[nodiscard]] std::string legend(std::span<const Part> parts);

struct Mark
{
    std::string name;
    double value;
};

/// A dot for each mark and a line at their median; the numbers of marks in equal parts of the axis if
/// there are too many for dots.
[[nodiscard]] std::string strip(std::span<const Mark> marks, const Axis& axis, std::string_view unit);

/// A ratio with its interval, over the band of ratios that count as the same. A ratio without an
/// interval is an open circle.
[[nodiscard]] std::string ratio_plot(const Comparison& comparison, const Axis& axis);

/// Bars from the left to the right.
[[nodiscard]] std::string bars(std::span<const Mark> marks, std::string_view unit);

struct ScalingPoint
{
    double ranks;
    double speed_up;
};

/// A plot of speed-ups over ranks, on logarithmic axes, with the line of ideal speed-up. Pre: `points` are in
/// ascending order of ranks.
[[nodiscard]] std::string scaling_plot(std::span<const ScalingPoint> points);

}  // namespace wayfront::report
