#include "app/report/page/page.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/report/page/charts.hpp"
#include "app/report/page/html.hpp"

namespace wayfront::app::page {

namespace {

constexpr std::size_t kMostLevelGroups = 12;
constexpr std::size_t kMostBars = 48;
constexpr int kColours = 8;  // of the page's style

std::string section(std::string_view title, const std::string& content)
{
    return content.empty() ? "" : fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(title), content);
}

/// "2 · b.json".
std::string name_of(std::span<const MeasuredRun> runs, const MeasuredRun& run)
{
    return fmt::format("{} · {}", &run - runs.data() + 1, run.file);
}

/// A cell of a table with a number, which is HTML.
std::string number_cell(std::string_view number)
{
    return fmt::format(R"(<td class="number">{}</td>)", number);
}

/// The searches of an algorithm in one run.
struct SearchesOfRun
{
    const MeasuredRun* run;
    const Searches* searches;
};

std::vector<SearchesOfRun> searches_of(std::span<const MeasuredRun> runs)
{
    std::vector<SearchesOfRun> all;
    for (const MeasuredRun& run : runs)
        for (const Searches& searches : run.searches) all.push_back({&run, &searches});
    return all;
}

/// Elements in groups of those with an equal key, both in their order.
template <typename Element, typename Key>
std::vector<std::vector<Element>> grouped(const std::vector<Element>& elements, Key&& key)
{
    std::vector<std::vector<Element>> groups;
    for (const Element& element : elements) {
        const auto found =
            std::ranges::find_if(groups, [&](const auto& group) { return key(group.front()) == key(element); });
        (found == groups.end() ? groups.emplace_back() : *found).push_back(element);
    }
    return groups;
}

/// Searches that charts show on one scale: those of an algorithm and a graph.
std::vector<std::vector<SearchesOfRun>> comparable(const std::vector<SearchesOfRun>& all)
{
    return grouped(all, [](const SearchesOfRun& one) { return std::pair(one.searches->algorithm, one.run->graph); });
}

/// The name of the graph without its sizes.
std::string graph_name(const MeasuredRun& run)
{
    return run.graph.substr(0, run.graph.find('\n'));
}

std::string subject_of(const SearchesOfRun& one)
{
    return fmt::format("{} of {}", one.searches->algorithm, graph_name(*one.run));
}

std::string differences(std::span<const MeasuredRun> runs, std::span<const RunComparison> comparisons)
{
    if (runs.size() < 2) return {};
    if (comparisons.empty()) return "<p>No further run has searches of an algorithm of the first one.</p>\n";
    double low = 1 / 1.1;
    double high = 1.1;
    for (const RunComparison& comparison : comparisons)
        if (const std::optional<Interval>& interval = comparison.times.interval) {
            low = std::min(low, interval->low);
            high = std::max(high, interval->high);
        }
    const Axis axis = Axis::logarithmic(low, high);
    std::string rows;
    for (const RunComparison& comparison : comparisons) {
        const char* const verdict = to_string(comparison.times.verdict());
        std::string words = fmt::format("{}; {}", ratio_in_words(comparison.times), comparison.basis);
        for (const std::string& note : comparison.notes) words += "; " + note;
        rows += fmt::format(
            "<div class=\"row\"><div><span class=\"verdict {0}\">{0}</span> {1}, {2}</div><div "
            "class=\"of\">{3}</div>{4}</div>\n",
            verdict, escaped(name_of(runs, *comparison.second)), escaped(comparison.algorithm), escaped(words),
            comparison.times.interval ? ratio_plot(comparison.times, axis) : "");
    }
    return figure(fmt::format("Time of a search, relative to {}; the band is the same within {:.0f}%",
                              name_of(runs, runs.front()), 100 * kSameWithin),
                  rows + ticks_of(axis, ""));
}

std::string facts(std::span<const MeasuredRun> runs)
{
    std::string table = "<div class=\"wide\"><table class=\"facts\">\n<thead><tr><th></th>";
    for (const MeasuredRun& run : runs) table += fmt::format("<th>{}</th>", escaped(name_of(runs, run)));
    table += "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < runs.front().facts.size(); ++i) {
        if (std::ranges::all_of(runs, [i](const MeasuredRun& run) { return run.facts[i].second.empty(); })) continue;
        table += fmt::format("<tr><th>{}</th>", escaped(runs.front().facts[i].first));
        for (const MeasuredRun& run : runs) table += fmt::format("<td>{}</td>", escaped(run.facts[i].second));
        table += "</tr>\n";
    }
    return table + "</tbody></table></div>\n";
}

std::string times_of_searches(std::span<const MeasuredRun> runs)
{
    std::string table =
        "<div class=\"wide\"><table>\n<thead><tr><th>run</th><th>searches</th><th class=\"number\">number</th>"
        "<th class=\"number\">fastest</th><th class=\"number\">median</th><th class=\"number\">slowest</th>"
        "<th class=\"number\">harmonic mean</th></tr></thead>\n<tbody>\n";
    for (const auto& [run, searches] : searches_of(runs)) {
        const std::vector<double> seconds = searches->seconds();
        const auto [least, most] = std::ranges::minmax(seconds);
        table += fmt::format("<tr><td>{}</td><td>{}</td>", escaped(name_of(runs, *run)), escaped(searches->algorithm));
        table += number_cell(std::to_string(seconds.size()));
        for (const double time : {least, median_of(seconds), most}) table += number_cell(data_with_unit(time, "s"));
        table += number_cell(searches->have_rates ? data_with_unit(searches->harmonic_mean_rate(), "edges/s") : "");
        table += "</tr>\n";
    }
    return table + "</tbody></table></div>\n";
}

/// A strip of each run's searches, by edges per second if all have them, else by seconds.
std::string strips(std::span<const MeasuredRun> runs, const std::vector<SearchesOfRun>& group)
{
    const bool by_rate = std::ranges::all_of(group, [](const SearchesOfRun& one) { return one.searches->have_rates; });
    const char* const unit = by_rate ? "edges/s" : "s";
    double most = 0;
    std::vector<std::vector<Mark>> marks;
    for (const auto& [run, searches] : group) {
        marks.emplace_back();
        for (const MeasuredSearch& search : searches->all) {
            marks.back().push_back(
                {search.start.empty() ? "all" : search.start, by_rate ? *search.rate : search.seconds});
            most = std::max(most, marks.back().back().value);
        }
    }
    const Axis axis = Axis::linear(most);
    std::string rows;
    for (std::size_t i = 0; i < group.size(); ++i)
        rows += chart_row(name_of(runs, *group[i].run), strip(marks[i], axis, unit));
    return figure(fmt::format("{}: {} of each search; the line is the median", subject_of(group.front()),
                              by_rate ? "edges per second (TEPS)" : "seconds"),
                  rows + ticks_of(axis, unit));
}

std::string strips(std::span<const MeasuredRun> runs)
{
    std::string figures;
    for (const auto& group : comparable(searches_of(runs)))
        if (std::ranges::any_of(group, [](const SearchesOfRun& one) { return one.searches->all.size() > 1; }))
            figures += strips(runs, group);
    return figures;
}

/// Rows of stacked bars on one scale, with one legend.
std::string stacked_rows(std::span<const std::string> names, std::span<const std::vector<Part>> bars)
{
    std::vector<Part> all;
    std::vector<double> sums;
    for (const std::vector<Part>& parts : bars) {
        double& sum = sums.emplace_back(0);
        for (const Part& part : parts) {
            sum += part.value;
            if (std::ranges::find(all, part.name, &Part::name) == all.end()) all.push_back(part);
        }
    }
    std::string rows = legend(all);
    for (std::size_t i = 0; i < bars.size(); ++i)
        rows += chart_row(fmt::format("{}: {}", names[i], with_unit(sums[i], "s")),
                          stacked_bar(bars[i], *std::ranges::max_element(sums), "s"));
    return rows;
}

std::string phases(std::span<const MeasuredRun> runs)
{
    std::vector<const MeasuredRun*> all;
    for (const MeasuredRun& run : runs) all.push_back(&run);
    std::string figures;
    for (const auto& group : grouped(all, [](const MeasuredRun* run) { return run->graph; })) {
        std::vector<std::string> phases;  // in the order of their colours
        std::vector<std::string> names;
        std::vector<std::vector<Part>> bars;
        for (const MeasuredRun* const run : group) {
            names.push_back(name_of(runs, *run));
            bars.emplace_back();
            for (const auto& [name, seconds] : run->phases) {
                auto found = std::ranges::find(phases, name);
                if (found == phases.end()) found = phases.insert(phases.end(), name);
                bars.back().push_back({name, seconds, fmt::format("var(--c{})", (found - phases.begin()) % kColours)});
            }
        }
        figures +=
            figure(fmt::format("{}: phases; those of searches and validations are sums", graph_name(*group.front())),
                   stacked_rows(names, bars));
    }
    return figures;
}

/// "level 3", or "levels 10 to 19".
std::string levels_name(std::size_t first, std::size_t last)
{
    return first == last ? fmt::format("level {}", first) : fmt::format("levels {} to {}", first, last);
}

/// Sums over consecutive levels, so that `most` levels would have at most `groups` sums.
std::vector<Mark> sums_of_levels(const std::vector<MeanLevel>& levels, std::size_t most, std::size_t groups,
                                 double MeanLevel::*value)
{
    const std::size_t width = (most + groups - 1) / groups;
    std::vector<Mark> marks;
    for (std::size_t first = 0; first < levels.size(); first += width) {
        Mark& mark = marks.emplace_back(levels_name(first, std::min(first + width, most) - 1), 0);
        for (std::size_t i = first; i < std::min(first + width, levels.size()); ++i) mark.value += levels[i].*value;
    }
    return marks;
}

std::vector<Part> coloured(const std::vector<Mark>& marks, std::size_t colours)
{
    std::vector<Part> parts;
    parts.reserve(marks.size());
    for (const Mark& mark : marks)
        parts.push_back({mark.name, mark.value, fmt::format("hsl({},55%,36%)", 280 - 250 * parts.size() / colours)});
    return parts;
}

std::string levels(std::span<const MeasuredRun> runs, const std::vector<SearchesOfRun>& group)
{
    std::size_t most = 0;
    for (const auto& [run, searches] : group) most = std::max(most, searches->levels.size());
    if (most == 0) return {};
    std::vector<std::string> names;
    std::vector<std::vector<Part>> stacks;
    std::string vertices;
    for (const auto& [run, searches] : group) {
        const std::string name = name_of(runs, *run);
        if (searches->levels.empty()) continue;
        const std::vector<MeanLevel>& levels = searches->levels;
        vertices += chart_row(name, bars(sums_of_levels(levels, most, kMostBars, &MeanLevel::vertices), "vertices"));
        if (std::ranges::none_of(levels, [](const MeanLevel& level) { return level.seconds > 0; })) continue;
        names.push_back(name);
        stacks.push_back(coloured(sums_of_levels(levels, most, kMostLevelGroups, &MeanLevel::seconds),
                                  std::min(most, kMostLevelGroups)));
    }
    const std::string subject = subject_of(group.front());
    const std::string times =
        stacks.empty()
            ? ""
            : figure(fmt::format("{}: time of each level, mean of all searches", subject), stacked_rows(names, stacks));
    return times + figure(fmt::format("{}: vertices of each level, mean of all searches", subject), vertices);
}

std::string levels(std::span<const MeasuredRun> runs)
{
    std::string figures;
    for (const auto& group : comparable(searches_of(runs))) figures += levels(runs, group);
    return figures;
}

std::vector<Mark> bars_of(const Histogram& histogram)
{
    const std::size_t width = (histogram.counts.size() + kMostBars - 1) / kMostBars;
    const auto begin_of = [&](std::size_t bin) { return histogram.first + static_cast<double>(bin) * histogram.width; };
    std::vector<Mark> marks;
    for (std::size_t first = 0; first < histogram.counts.size(); first += width) {
        const std::size_t end = std::min(first + width, histogram.counts.size());
        Mark& mark = marks.emplace_back(fmt::format("{:.6g} to below {:.6g}", begin_of(first), begin_of(end)), 0);
        for (std::size_t bin = first; bin < end; ++bin) mark.value += histogram.counts[bin];
    }
    return marks;
}

std::string distances(std::span<const MeasuredRun> runs)
{
    std::string figures;
    for (const MeasuredRun& run : runs)
        if (run.histogram)
            figures += figure(fmt::format("{}, {}: pairs of vertices by distance", name_of(runs, run), graph_name(run)),
                              bars(bars_of(*run.histogram), "pairs"));
    return figures;
}

/// The median times of a group by ranks, if its runs differ in ranks; of several runs on as many ranks
/// that of the fastest.
std::string scaling(const std::vector<SearchesOfRun>& group)
{
    std::map<double, double> times;
    for (const auto& [run, searches] : group) {
        if (run->ranks < 1 || run->is_planned) continue;
        const double median = median_of(searches->seconds());
        double& time = times.try_emplace(run->ranks, median).first->second;
        time = std::min(time, median);
    }
    if (times.size() < 2) return {};
    const auto [least, seconds] = *times.begin();
    std::vector<ScalingPoint> points;
    std::string rows;
    for (const auto& [ranks, time] : times) {
        const double speed_up = points.emplace_back(ranks, seconds / time).speed_up;
        rows += "<tr>" + number_cell(fmt::format("{}", ranks)) + number_cell(data_with_unit(time, "s")) +
                number_cell(fmt::format("{:.3g}", speed_up)) +
                number_cell(fmt::format("{:.0f}%", 100 * speed_up * least / ranks)) + "</tr>\n";
    }
    return figure(
        fmt::format("{}: speed-up by ranks, of the median time of the fastest run", subject_of(group.front())),
        scaling_plot(points) +
            "<table>\n<thead><tr><th class=\"number\">ranks</th><th class=\"number\">median time</th>"
            "<th class=\"number\">speed-up</th><th class=\"number\">efficiency</th></tr></thead>\n<tbody>\n" +
            rows + "</tbody></table>\n");
}

std::string scaling(std::span<const MeasuredRun> runs)
{
    std::string figures;
    for (const auto& group : comparable(searches_of(runs))) figures += scaling(group);
    return figures;
}

std::string method()
{
    return fmt::format(
        "<p class=\"quiet\">Runs that search the same graph from the same vertices are compared search by search: the "
        "ratio is the median of the ratios of times. Other runs are compared by the ratio of their medians, of times "
        "per edge if they are known. The interval contains the median with a probability of {0:.0f}%, whatever the "
        "distribution of times (order statistics, Thompson 1936). Verdicts: <b>same</b> if the whole interval is "
        "within {1:.0f}% of 1, else <b>faster</b> or <b>slower</b> if it does not contain 1, else <b>ambiguous</b>. "
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
                                section("Searches", times_of_searches(runs) + strips(runs)) +
                                section("Phases", phases(runs)) + section("Levels", levels(runs)) +
                                section("Scaling", scaling(runs)) + section("Distances", distances(runs)) +
                                (runs.size() > 1 ? section("How runs are compared", method()) : ""));
}

}  // namespace wayfront::app::page
