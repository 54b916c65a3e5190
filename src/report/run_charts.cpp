#include "report/run_charts.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/run_groups.hpp"

namespace wayfront::report {

namespace {

constexpr std::size_t kMostLevelGroups = 12;
constexpr std::size_t kMostBars = 48;
constexpr int kColours = 8;  // of the page's style

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
    const char* const what = !by_rate                                   ? "seconds"
                             : group.front().run->command == "graph500" ? "edges per second (TEPS)"
                                                                        : "edges per second";
    return figure(fmt::format("{}: {} of each search; the line is the median", subject_of(group.front()), what),
                  rows + ticks_of(axis, by_rate ? "" : "s"));
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

/// The facts that determine the phases of a run, beside its graph.
std::string work_of_phases(const MeasuredRun* run)
{
    std::string work = run->command;
    for (const Searches& searches : run->searches)
        work += fmt::format(", {} {} {}", searches.algorithm, searches.work, searches.all.size());
    return work;
}

std::string phases(std::span<const MeasuredRun> runs, const std::vector<const MeasuredRun*>& group)
{
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
    const MeasuredRun& first = *group.front();
    const Searches& searches = first.searches.front();
    const std::size_t count = searches.all.size();
    const std::string work = count > 1               ? ", " + counted(count, "search", "searches")
                             : searches.work.empty() ? ""
                                                     : ", " + searches.work;
    return figure(fmt::format("{} of {}{}: phases; those of searches and validations are sums", first.command,
                              first.graph.name, work),
                  stacked_rows(names, bars));
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

/// "2 · b.json (16 searches)".
std::string name_with_searches(std::span<const MeasuredRun> runs, const SearchesOfRun& one)
{
    return fmt::format("{} ({})", name_of(runs, *one.run), counted(one.searches->all.size(), "search", "searches"));
}

std::string levels(std::span<const MeasuredRun> runs, const std::vector<SearchesOfRun>& group)
{
    std::size_t most = 0;
    for (const auto& [run, searches] : group) most = std::max(most, searches->levels.size());
    if (most == 0) return {};
    std::vector<std::string> names;
    std::vector<std::vector<Part>> stacks;
    std::vector<LabelledPicture> vertices;
    for (const SearchesOfRun& one : group) {
        const std::vector<MeanLevel>& levels = one.searches->levels;
        if (levels.empty()) continue;
        const std::string name = name_with_searches(runs, one);
        vertices.push_back({name, bars(sums_of_levels(levels, most, kMostBars, &MeanLevel::vertices), "vertices")});
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
    return times +
           figure(fmt::format("{}: vertices of each level, mean of all searches", subject), joined_rows(vertices));
}

std::vector<Mark> bars_of(const Histogram& histogram)
{
    const std::size_t width = (histogram.counts.size() + kMostBars - 1) / kMostBars;
    const auto begin_of = [&](std::size_t bin) { return histogram.first + static_cast<double>(bin) * histogram.width; };
    std::vector<Mark> marks;
    for (std::size_t first = 0; first < histogram.counts.size(); first += width) {
        const std::size_t end = std::min(first + width, histogram.counts.size());
        std::string name = histogram.width > 0 ? fmt::format("{:.6g} to below {:.6g}", begin_of(first), begin_of(end))
                                               : fmt::format("{:.6g}", histogram.first);
        Mark& mark = marks.emplace_back(std::move(name), 0);
        for (std::size_t bin = first; bin < end; ++bin) mark.value += histogram.counts[bin];
    }
    return marks;
}

}  // namespace

std::string search_charts(std::span<const MeasuredRun> runs)
{
    std::string figures;
    for (const auto& group : with_equal_work(searches_of(runs)))
        if (std::ranges::any_of(group, [](const SearchesOfRun& one) { return one.searches->all.size() > 1; }))
            figures += strips(runs, group);
    return figures;
}

std::string phase_charts(std::span<const MeasuredRun> runs)
{
    std::vector<const MeasuredRun*> all;
    for (const MeasuredRun& run : runs)
        if (!run.phases.empty()) all.push_back(&run);
    std::string figures;
    for (const auto& group :
         grouped(all, [](const MeasuredRun* run) { return std::pair(run->graph, work_of_phases(run)); }))
        figures += phases(runs, group);
    return figures;
}

std::string level_charts(std::span<const MeasuredRun> runs)
{
    std::string figures;
    for (const auto& group : with_equal_work(searches_of(runs))) figures += levels(runs, group);
    return figures;
}

std::string distance_charts(std::span<const MeasuredRun> runs)
{
    std::vector<const MeasuredRun*> all;
    for (const MeasuredRun& run : runs)
        if (run.histogram) all.push_back(&run);
    std::string figures;
    for (const auto& group : grouped(all, [](const MeasuredRun* run) { return run->graph; })) {
        std::vector<LabelledPicture> pictures;
        pictures.reserve(group.size());
        for (const MeasuredRun* const run : group)
            pictures.push_back({name_of(runs, *run), bars(bars_of(*run->histogram), "pairs")});
        figures +=
            figure(fmt::format("{}: pairs of vertices by distance", group.front()->graph.name), joined_rows(pictures));
    }
    return figures;
}

}  // namespace wayfront::report
