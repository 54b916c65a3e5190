#include "app/commands/apsp_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/counted.hpp"
#include "session/apsp/vertex_figures.hpp"
#include "session/output/json.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::app {

namespace {

constexpr std::size_t kShownBins = 16;
constexpr std::uint64_t kMostWrittenBins = 1024;
constexpr int kBarColumns = 40;
constexpr std::size_t kShownVertices = 8;

std::string line(const char* name, const std::string& value)
{
    return fmt::format("{:<30}{}\n", name, value);
}

/// Whole numbers as they are, others with six digits.
std::string number(double value, bool whole)
{
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

session::Json json_number(double value, bool whole)
{
    if (!std::isfinite(value)) return nullptr;
    return whole ? session::Json(static_cast<std::int64_t>(value)) : session::Json(value);
}

/// The names of the largest and the smallest eccentricity.
const char* largest_name(const SummarySubject& subject)
{
    return subject.all_sources ? "diameter" : "largest_eccentricity";
}
const char* smallest_name(const SummarySubject& subject)
{
    return subject.all_sources ? "radius" : "smallest_eccentricity";
}

struct Bin
{
    double first;
    std::uint64_t count;
};

/// All bins from the smallest distance on, in ascending order.
std::vector<Bin> bins_of(const algo::DistanceHistogram& histogram)
{
    std::vector<Bin> bins;
    const double width = histogram.width();
    const auto negative = histogram.negative_counts();
    for (std::size_t i = negative.size(); i-- > 0;)
        bins.push_back({-(static_cast<double>(i) + 1) * width, negative[i]});
    for (std::size_t i = 0; i < histogram.counts().size(); ++i)
        bins.push_back({static_cast<double>(i) * width, histogram.counts()[i]});
    const auto first = std::ranges::find_if(bins, [](const Bin& bin) { return bin.count > 0; });
    bins.erase(bins.begin(), first);
    return bins;
}

/// A copy with at most this number of bins, at least 2.
algo::DistanceHistogram coarse(const algo::DistanceHistogram& histogram, std::size_t most_bins)
{
    algo::DistanceHistogram copy = histogram;
    while (bins_of(copy).size() > most_bins) copy.widen_to(copy.exponent() + 1);
    return copy;
}

/// The histogram for files: a few pairs need few bins.
algo::DistanceHistogram written(const algo::DistanceHistogram& histogram, std::uint64_t pairs)
{
    return coarse(histogram, std::clamp(pairs, std::uint64_t{kShownBins}, kMostWrittenBins));
}

/// The closeness of the sources that have one.
std::string closeness_in_words(const SummarySubject& subject, const algo::Summary& summary)
{
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    double sum = 0;
    std::size_t count = 0;
    std::size_t too_large = 0;
    for (const algo::RowFacts& facts : summary.rows()) {
        const std::optional<double> closeness = algo::closeness_of(facts, subject.input.list.vertex_count);
        if (!closeness) {
            too_large += facts.sum > 0 ? 1 : 0;
            continue;
        }
        least = std::min(least, *closeness);
        most = std::max(most, *closeness);
        sum += *closeness;
        ++count;
    }
    const std::size_t others = subject.sources.size() - count - too_large;
    std::string without;
    if (others > 0)
        without = fmt::format("{} whose distances add up to 0 or less", counted(others, "source", "sources"));
    if (too_large > 0)
        without += fmt::format("{}{} whose closeness exceeds float64", without.empty() ? "" : " and ",
                               counted(too_large, "source", "sources"));
    if (count == 0)
        return too_large == 0 ? "none, since the distances of each source add up to 0 or less"
                              : "none, without " + without;
    const std::string words =
        fmt::format("{:.6g} to {:.6g}, mean {:.6g}", least, most, sum / static_cast<double>(count));
    return without.empty() ? words : words + ", without " + without;
}

/// "3 vertices: 4, 7, 9", at most kShownVertices of them by number.
std::string vertices_in_words(const SummarySubject& subject, std::span<const std::size_t> positions)
{
    std::string text = counted(positions.size(), "vertex", "vertices") + ": ";
    for (std::size_t i = 0; i < std::min(positions.size(), kShownVertices); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ",
                            session::vertex_in_words(subject.input.numbers(), subject.sources[positions[i]]));
    return positions.size() > kShownVertices ? text + ", ..." : text;
}

/// The sum of the distances of all pairs, each pair of an undirected graph once. No value if a pair
/// has no path.
std::optional<algo::DistanceSum> wiener_index_of(const SummarySubject& subject, const algo::Summary& summary)
{
    const auto vertices = static_cast<std::uint64_t>(subject.input.list.vertex_count);
    if (vertices > 0 && algo::figures_of(summary.rows()).reachable_pairs < vertices * (vertices - 1))
        return std::nullopt;
    algo::DistanceSum sum = algo::distance_sum_of(summary);
    if (subject.input.list.directed) return sum;
    if (sum.whole) *sum.whole /= 2;
    sum.value /= 2;
    return sum;
}

/// The lines of figures that need the rows of all vertices.
std::string figures_of_graph_in_words(const SummarySubject& subject, const algo::Summary& summary)
{
    const algo::SummaryFigures figures = algo::figures_of(summary.rows());
    std::string text =
        line("center", vertices_in_words(subject, algo::rows_of_eccentricity(summary.rows(), figures.radius)));
    text += line("periphery", vertices_in_words(subject, algo::rows_of_eccentricity(summary.rows(), figures.diameter)));
    const std::optional<algo::DistanceSum> wiener = wiener_index_of(subject, summary);
    text += line("Wiener index", !wiener         ? "infinite, since some pairs have no path"
                                 : wiener->whole ? fmt::format("{}", *wiener->whole)
                                                 : fmt::format("{:.8g}", wiener->value));
    if (const auto efficiency = algo::global_efficiency_of(summary, subject.input.list.vertex_count))
        text += line("global efficiency", fmt::format("{:.8g}", *efficiency));
    return text;
}

/// Why estimates have no error by the normal approximation; empty if all have one.
std::string missing_errors_in_words(const algo::SampledFigures& figures)
{
    const auto misses = [](const std::optional<algo::Estimate>& estimate) { return estimate && !estimate->error; };
    if (misses(figures.reachable_pairs) || misses(figures.average) || misses(figures.efficiency))
        return "  An estimate without +- has a sample that is too small or too uneven for the normal approximation.\n";
    return "";
}

std::string estimates_in_words(const SummarySubject& subject, const algo::Summary& summary)
{
    const algo::SampledFigures figures = algo::sampled_figures_of(summary, *subject.sampled);
    std::string text = fmt::format(
        "estimates for all {} vertices, with errors of {:.0f}% by the normal approximation and, in parentheses, for "
        "any graph\n",
        subject.sampled->vertices, 100 * algo::Estimate::kConfidence);
    const auto add = [&text](const char* name, const algo::Estimate& estimate) {
        text += fmt::format("  {:<30}{:.6g}", name, estimate.value);
        if (estimate.error) text += fmt::format(" +- {:.3g}", *estimate.error);
        if (estimate.bound) text += fmt::format(" ({:.3g})", *estimate.bound);
        text += estimate.error || estimate.bound ? "\n" : ", without an error\n";
    };
    add("reachable pairs", figures.reachable_pairs);
    if (figures.average) add("average shortest path length", *figures.average);
    if (figures.efficiency) add("global efficiency", *figures.efficiency);
    return text + missing_errors_in_words(figures);
}

session::Json estimate_facts(const std::optional<algo::Estimate>& estimate)
{
    if (!estimate) return nullptr;
    return {{"value", json_number(estimate->value, false)},
            {"error", estimate->error ? json_number(*estimate->error, false) : session::Json()},
            {"bound", estimate->bound ? json_number(*estimate->bound, false) : session::Json()}};
}

session::Json estimates_facts(const SummarySubject& subject, const algo::Summary& summary)
{
    const algo::SampledFigures figures = algo::sampled_figures_of(summary, *subject.sampled);
    return {{"confidence", algo::Estimate::kConfidence},
            {"reachable_pairs", estimate_facts(figures.reachable_pairs)},
            {"distance_sum", estimate_facts(figures.distance_sum)},
            {"average_shortest_path_length", estimate_facts(figures.average)},
            {"global_efficiency", estimate_facts(figures.efficiency)}};
}

/// Adds the facts that need the rows of all vertices.
void add_figures_of_graph(const SummarySubject& subject, const algo::Summary& summary, session::Json& facts)
{
    const algo::SummaryFigures figures = algo::figures_of(summary.rows());
    const auto vertices_of = [&](double eccentricity) {
        session::Json list = session::Json::array();
        for (const std::size_t position : algo::rows_of_eccentricity(summary.rows(), eccentricity))
            list.push_back(session::vertex_as_json(subject.input.numbers(), subject.sources[position]));
        return list;
    };
    facts["center"] = vertices_of(figures.radius);
    facts["periphery"] = vertices_of(figures.diameter);
    const std::optional<algo::DistanceSum> wiener = wiener_index_of(subject, summary);
    facts["wiener_index"] = !wiener         ? session::Json()
                            : wiener->whole ? session::Json(*wiener->whole)
                                            : json_number(wiener->value, false);
    const std::optional<double> efficiency = algo::global_efficiency_of(summary, subject.input.list.vertex_count);
    facts["global_efficiency"] = efficiency ? session::Json(*efficiency) : session::Json();
}

/// Adds the lists that a summary in full detail has, by source.
void add_full_facts(const SummarySubject& subject, const algo::Summary& summary, session::Json& facts)
{
    const session::FiguresOfVertices figures{summary, subject.sources, subject.input.list.vertex_count,
                                             subject.input.numbers()};
    session::Json reached = session::Json::array();
    session::Json sums = session::Json::array();
    session::Json harmonic = session::Json::array();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const session::VertexFigures own = figures[i];
        reached.push_back(own.reached);
        sums.push_back(subject.whole_distances ? session::Json(own.whole_sum) : json_number(own.sum, false));
        harmonic.push_back(own.harmonic ? session::Json(*own.harmonic) : session::Json());
    }
    facts["reached"] = std::move(reached);
    facts["sums"] = std::move(sums);
    facts["harmonic_closeness"] = std::move(harmonic);
}

std::string histogram_in_words(const algo::DistanceHistogram& histogram, bool whole)
{
    const algo::DistanceHistogram shown = coarse(histogram, kShownBins);
    const std::vector<Bin> bins = bins_of(shown);
    std::uint64_t most = 1;
    for (const Bin& bin : bins) most = std::max(most, bin.count);
    std::string text;
    for (const Bin& bin : bins) {
        const double last = bin.first + shown.width();
        const std::string range = whole && shown.width() == 1 ? number(bin.first, true)
                                  : whole                     ? fmt::format("{:.0f}..{:.0f}", bin.first, last - 1)
                                                              : fmt::format("{:.4g} to {:.4g}", bin.first, last);
        const auto columns = static_cast<std::size_t>(
            std::ceil(static_cast<double>(bin.count) * kBarColumns / static_cast<double>(most)));
        text += fmt::format("  {:>20} {:>14}", range, bin.count);
        if (columns > 0) text += "  " + std::string(columns, '#');
        text += '\n';
    }
    return text;
}

}  // namespace

std::string summary_in_words(const SummarySubject& subject, const algo::Summary& summary)
{
    const algo::SummaryFigures figures = algo::figures_of(summary.rows());
    const auto vertices = static_cast<std::uint64_t>(subject.input.list.vertex_count);
    const std::uint64_t pairs = subject.sources.size() * (vertices > 0 ? vertices - 1 : 0);
    std::string text = line("vertices", fmt::format("{}", vertices));
    text += line("sources", fmt::format("{}{}", subject.sources.size(), subject.all_sources ? " (all)" : ""));
    text += line("reachable pairs", pairs == 0 ? "none, since there is no other vertex"
                                               : fmt::format("{} of {}", figures.reachable_pairs, pairs));
    if (figures.reachable_pairs == 0) return text;
    text += line("average shortest path length", fmt::format("{:.8g}", figures.average));
    text += line(subject.all_sources ? "diameter" : "largest eccentricity",
                 number(figures.diameter, subject.whole_distances));
    text +=
        line(subject.all_sources ? "radius" : "smallest eccentricity", number(figures.radius, subject.whole_distances));
    text += line(!subject.input.list.directed ? "closeness"
                 : subject.input.reversed     ? "closeness (inward)"
                                              : "closeness (outward)",
                 closeness_in_words(subject, summary));
    if (subject.all_sources) text += figures_of_graph_in_words(subject, summary);
    if (subject.sampled) text += estimates_in_words(subject, summary);
    return text + "distances\n" + histogram_in_words(summary.histogram(), subject.whole_distances);
}

session::Json summary_facts(const SummarySubject& subject, const algo::Summary& summary)
{
    const algo::SummaryFigures figures = algo::figures_of(summary.rows());
    const auto of_pairs = [&figures](const session::Json& figure) {
        return figures.reachable_pairs > 0 ? figure : session::Json();
    };
    session::Json facts = {{"sources", subject.sources.size()},
                           {"reachable_pairs", figures.reachable_pairs},
                           {"average_shortest_path_length", of_pairs(figures.average)},
                           {largest_name(subject), of_pairs(json_number(figures.diameter, subject.whole_distances))},
                           {smallest_name(subject), of_pairs(json_number(figures.radius, subject.whole_distances))}};
    const algo::DistanceHistogram histogram = written(summary.histogram(), figures.reachable_pairs);
    const std::vector<Bin> bins = bins_of(histogram);
    session::Json counts = session::Json::array();
    for (const Bin& bin : bins) counts.push_back(bin.count);
    facts["histogram"] = {
        {"first", bins.empty() ? session::Json(0) : json_number(bins.front().first, subject.whole_distances)},
        {"bin_width", json_number(histogram.width(), subject.whole_distances)},
        {"counts", counts}};
    session::Json vertices = session::Json::array();
    session::Json eccentricities = session::Json::array();
    session::Json closeness = session::Json::array();
    for (std::size_t i = 0; i < subject.sources.size(); ++i) {
        vertices.push_back(session::vertex_as_json(subject.input.numbers(), subject.sources[i]));
        eccentricities.push_back(json_number(summary.rows()[i].eccentricity, subject.whole_distances));
        const std::optional<double> own = algo::closeness_of(summary.rows()[i], subject.input.list.vertex_count);
        closeness.push_back(own ? session::Json(*own) : session::Json());
    }
    facts["vertices"] = std::move(vertices);
    facts["eccentricities"] = std::move(eccentricities);
    facts["closeness"] = std::move(closeness);
    if (subject.all_sources) add_figures_of_graph(subject, summary, facts);
    if (subject.sampled) facts["estimates"] = estimates_facts(subject, summary);
    if (summary.is_full()) add_full_facts(subject, summary, facts);
    return facts;
}

}  // namespace wayfront::app
