#include "report/page.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/run_charts.hpp"
#include "report/run_groups.hpp"
#include "report/scaling.hpp"

namespace wayfront::report {

namespace {

constexpr std::size_t kMostGraphs = 100;  // the largest number of graphs of a job that are shown

std::string section(std::string_view title, const std::string& content)
{
    return content.empty() ? "" : fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(title), content);
}

/// The scale of all ratios and intervals that have a verdict.
Axis axis_of(std::span<const RunComparison> comparisons)
{
    double low = 1 / 1.1;
    double high = 1.1;
    for (const RunComparison& comparison : comparisons) {
        if (!comparison.same_work) continue;
        const double ratio = comparison.times.ratio;
        const Interval interval = comparison.times.interval.value_or(Interval{ratio, ratio});
        low = std::min(low, interval.low);
        high = std::max(high, interval.high);
    }
    return Axis::logarithmic(low, high);
}

std::string difference_row(std::span<const MeasuredRun> runs, const RunComparison& comparison, const Axis& axis)
{
    const std::string verdict = verdict_of(comparison);
    return fmt::format(
        "<div class=\"row\"><div><span class=\"verdict {}\">{}</span> {}, {}</div><div "
        "class=\"of\">{}</div>{}</div>\n",
        verdict.substr(0, verdict.find(' ')), verdict, escaped(name_of(runs, *comparison.second)),
        escaped(comparison.algorithm), escaped(details_of(comparison)),
        comparison.same_work ? ratio_plot(comparison.times, axis) : "");
}

std::string differences(std::span<const MeasuredRun> runs, std::span<const RunComparison> comparisons)
{
    if (runs.size() < 2) return {};
    if (comparisons.empty()) return "<p>No further run has searches of an algorithm of the first one.</p>\n";
    const Axis axis = axis_of(comparisons);
    std::string same_work;
    std::string different_work;
    for (const RunComparison& comparison : comparisons)
        (comparison.same_work ? same_work : different_work) += difference_row(runs, comparison, axis);
    const std::string first = name_of(runs, runs.front());
    std::string figures;
    if (!same_work.empty())
        figures +=
            figure(fmt::format("Time of a search, relative to {}: the ratio as a dot, its interval of {:.0f}% as a "
                               "line; the band is the same within {:.0f}%; an open dot has no interval",
                               first, 100 * kConfidence, 100 * kSameWithin),
                   same_work + ratio_ticks(axis));
    if (!different_work.empty())
        figures +=
            figure(fmt::format("Runs with other work than {}: numbers without a verdict", first), different_work);
    return figures;
}

/// A row of the table of facts. If all runs have the same value, one cell holds this value.
std::string fact_row(std::span<const MeasuredRun> runs, std::size_t number)
{
    const std::string& name = runs.front().facts[number].first;
    const std::string& value = runs.front().facts[number].second;
    const auto has_value = [&](const MeasuredRun& run) { return run.facts[number].second == value; };
    std::string row = fmt::format("<tr><th>{}</th>", escaped(name));
    if (runs.size() > 1 && std::ranges::all_of(runs, has_value)) {
        row += fmt::format("<td colspan=\"{}\">{}</td>", runs.size(), escaped(value));
    } else {
        for (const MeasuredRun& run : runs) row += fmt::format("<td>{}</td>", escaped(run.facts[number].second));
    }
    return row + "</tr>\n";
}

std::string facts(std::span<const MeasuredRun> runs)
{
    std::string table = "<div class=\"wide\"><table class=\"facts\">\n<thead><tr><th></th>";
    for (const MeasuredRun& run : runs) table += fmt::format("<th>{}</th>", escaped(name_of(runs, run)));
    table += "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < runs.front().facts.size(); ++i)
        if (std::ranges::any_of(runs, [i](const MeasuredRun& run) { return !run.facts[i].second.empty(); }))
            table += fact_row(runs, i);
    return table + "</tbody></table></div>\n";
}

/// The times of searches; of a single one, only its time.
std::string time_cells(const Searches& searches)
{
    const std::vector<double> seconds = searches.seconds();
    if (seconds.size() == 1) return number_cell("") + number_cell(data_with_unit(seconds[0], "s")) + number_cell("");
    const auto [least, most] = std::ranges::minmax(seconds);
    std::string cells;
    for (const double time : {least, median_of(seconds), most}) cells += number_cell(data_with_unit(time, "s"));
    return cells;
}

std::string times_of_searches(std::span<const MeasuredRun> runs)
{
    const std::vector<SearchesOfRun> all = searches_of(runs);
    const bool has_work = std::ranges::any_of(all, [](const auto& one) { return !one.searches->work.empty(); });
    std::string table = fmt::format(
        "<div class=\"wide\"><table>\n<thead><tr><th>run</th><th>graph</th><th>searches</th>{}<th "
        "class=\"number\">number</th><th class=\"number\">fastest</th><th class=\"number\">median</th><th "
        "class=\"number\">slowest</th><th class=\"number\">harmonic mean</th></tr></thead>\n<tbody>\n",
        has_work ? "<th>work</th>" : "");
    for (const auto& [run, searches] : all) {
        table += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td>", escaped(name_of(runs, *run)),
                             escaped(run->graph.name), escaped(searches->algorithm));
        if (has_work) table += fmt::format("<td>{}</td>", escaped(searches->work));
        table += number_cell(std::to_string(searches->all.size())) + time_cells(*searches);
        table += number_cell(searches->have_rates ? data_with_unit(searches->harmonic_mean_rate(), "edges/s") : "");
        table += "</tr>\n";
    }
    return table + "</tbody></table></div>\n";
}

/// The graphs of a job with many of them.
std::string graph_table(const std::string& caption, const std::vector<BulkGraphReport>& graphs)
{
    std::string table = fmt::format(
        "<p class=\"quiet\">{}</p>\n<div class=\"wide\"><table>\n<thead><tr><th>graph</th><th "
        "class=\"number\">vertices</th><th class=\"number\">edges</th><th>algorithm</th><th "
        "class=\"number\">reachable pairs</th><th class=\"number\">average path length</th><th "
        "class=\"number\">diameter</th></tr></thead>\n<tbody>\n",
        escaped(caption));
    for (const BulkGraphReport& graph : std::span(graphs).first(std::min(kMostGraphs, graphs.size()))) {
        table += fmt::format("<tr><td>{}</td>", escaped(graph.name));
        if (!graph.failure.empty()) {
            table += fmt::format("<td colspan=\"6\">failed: {}</td></tr>\n", escaped(graph.failure));
            continue;
        }
        table += number_cell(escaped(graph.vertices)) + number_cell(escaped(graph.edges));
        table += fmt::format("<td>{}</td>", escaped(graph.method));
        for (const std::string* const number : {&graph.reachable_pairs, &graph.average_length, &graph.diameter})
            table += number_cell(escaped(*number));
        table += "</tr>\n";
    }
    table += "</tbody></table></div>\n";
    if (graphs.size() > kMostGraphs)
        table += fmt::format("<p class=\"quiet\">and {} further graphs</p>\n", graphs.size() - kMostGraphs);
    return table;
}

/// The graphs of jobs with many of them; those of runs with equal results once.
std::string graphs_of_jobs(std::span<const MeasuredRun> runs)
{
    std::vector<const MeasuredRun*> jobs;
    for (const MeasuredRun& run : runs)
        if (!run.graphs.empty()) jobs.push_back(&run);
    std::string tables;
    for (const auto& group : grouped(jobs, [](const MeasuredRun* run) { return run->graphs; })) {
        std::string caption;
        for (const MeasuredRun* const run : group) caption += (caption.empty() ? "" : "; ") + name_of(runs, *run);
        tables += graph_table(caption, group.front()->graphs);
    }
    return tables;
}

std::string method()
{
    return fmt::format(
        "<p class=\"quiet\">Runs that search the same graph from the same vertices are compared search by search: the "
        "ratio is the median of the ratios of times. Other runs are compared by the ratio of their medians, of times "
        "per edge if they are known. The interval contains the median with a probability of {0:.0f}%, whatever the "
        "distribution of times (order statistics, Thompson 1936). Verdicts: <b>same</b> if the whole interval is "
        "within {1:.0f}% of 1, else <b>faster</b> or <b>slower</b> if it does not contain 1, else <b>ambiguous</b>; "
        "<b>undecided</b> if there are too few searches for an interval. Runs of other graphs or of other work, such "
        "as a cutoff, have no verdict, and share no chart. "
        "The interval is about the searches of these runs; what changes from one run to the next, such as other "
        "programs on the machine, takes several runs to tell.</p>\n",
        100 * kConfidence, 100 * kSameWithin);
}

}  // namespace

std::string report_page(std::span<const MeasuredRun> runs, std::span<const RunComparison> comparisons)
{
    const std::string title = runs.size() == 1 ? fmt::format("wayfront: {}", runs.front().file)
                                               : fmt::format("wayfront: {} runs", runs.size());
    return html_page(title, section("Difference", differences(runs, comparisons)) + section("Runs", facts(runs)) +
                                section("Searches", times_of_searches(runs) + search_charts(runs)) +
                                section("Graphs", graphs_of_jobs(runs)) + section("Phases", phase_charts(runs)) +
                                section("Levels", level_charts(runs)) + section("Scaling", scaling_charts(runs)) +
                                section("Distances", distance_charts(runs)) +
                                (runs.size() > 1 ? section("How runs are compared", method()) : ""));
}

}  // namespace wayfront::report
