#include "report/scaling.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "report/charts.hpp"
#include "report/comparison.hpp"
#include "report/html.hpp"

namespace wayfront::report {

namespace {

struct Condition
{
    const char* name;
    std::string (*value)(const SearchesOfRun&);
};

std::string starts_of(const SearchesOfRun& one)
{
    std::string starts;
    for (const MeasuredSearch& search : one.searches->all) starts += search.start + '\n';
    return starts;
}

/// The facts that must be equal, beside the graph, the command, the algorithm and its work.
constexpr std::array kConditions{
    Condition{"the method", [](const SearchesOfRun& one) { return one.searches->method; }},
    Condition{"the engine", [](const SearchesOfRun& one) { return one.run->engine; }},
    Condition{"the threads of a rank", [](const SearchesOfRun& one) { return one.run->threads; }},
    Condition{"the vertices from which they search", starts_of},
};

/// Facts that differ with the ranks in any case, or that have parts of others.
constexpr std::array<std::string_view, 6> kIgnoredFacts{"date",   "command line",   "ranks",
                                                        "search", "search of sssp", "description"};

std::vector<std::string> varying_facts(const std::vector<SearchesOfRun>& group)
{
    std::vector<std::string> names;
    const auto& facts = group.front().run->facts;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const auto is_other = [&](const SearchesOfRun& one) { return one.run->facts[i].second != facts[i].second; };
        if (std::ranges::find(kIgnoredFacts, facts[i].first) == kIgnoredFacts.end() &&
            std::ranges::any_of(group, is_other))
            names.push_back(facts[i].first);
    }
    return names;
}

bool rank_counts_differ(const std::vector<SearchesOfRun>& group)
{
    return std::ranges::any_of(group, [&](const SearchesOfRun& one) { return one.run->ranks != group[0].run->ranks; });
}

Scaling scaling_of_group(const std::vector<SearchesOfRun>& group)
{
    Scaling scaling{group.front(), {}, varying_facts(group)};
    for (const auto& [run, searches] : group) {
        const double median = median_of(searches->seconds());
        double& time = scaling.medians.try_emplace(run->ranks, median).first->second;
        time = std::min(time, median);
    }
    return scaling;
}

std::string chart_of(const Scaling& scaling)
{
    const auto [least, seconds] = *scaling.medians.begin();
    std::vector<ScalingPoint> points;
    std::string rows;
    for (const auto& [ranks, time] : scaling.medians) {
        const double speed_up = points.emplace_back(ranks, seconds / time).speed_up;
        rows += "<tr>" + number_cell(fmt::format("{}", ranks)) + number_cell(data_with_unit(time, "s")) +
                number_cell(fmt::format("{:.3g}", speed_up)) +
                number_cell(fmt::format("{:.0f}%", 100 * speed_up * least / ranks)) + "</tr>\n";
    }
    const MeasuredRun& run = *scaling.first.run;
    std::string caption =
        fmt::format("{}: speed-up by ranks, of the median time of the fastest run", subject_of(scaling.first));
    if (!scaling.first.searches->method.empty()) caption += "; method " + scaling.first.searches->method;
    if (!run.engine.empty()) caption += "; engine " + run.engine;
    if (!run.threads.empty()) caption += "; threads of a rank: " + run.threads;
    if (!scaling.varying.empty()) caption += "; not the same in all runs: " + listed(scaling.varying);
    return figure(caption,
                  scaling_plot(points) +
                      "<table>\n<thead><tr><th class=\"number\">ranks</th><th class=\"number\">median time</th>"
                      "<th class=\"number\">speed-up</th><th class=\"number\">efficiency</th></tr></thead>\n<tbody>\n" +
                      rows + "</tbody></table>\n");
}

}  // namespace

ScalingOfRuns scaling_of(std::span<const MeasuredRun> runs)
{
    std::vector<SearchesOfRun> measured = searches_of(runs);
    std::erase_if(measured, [](const SearchesOfRun& one) { return one.run->ranks < 1 || one.run->is_planned; });
    ScalingOfRuns scaling;
    for (const auto& candidates : with_equal_work(measured)) {
        if (!rank_counts_differ(candidates)) continue;
        const auto conditions_of = [](const SearchesOfRun& one) {
            std::array<std::string, kConditions.size()> values;
            std::ranges::transform(kConditions, values.begin(),
                                   [&](const Condition& condition) { return condition.value(one); });
            return values;
        };
        const std::size_t before = scaling.groups.size();
        for (const auto& group : grouped(candidates, conditions_of))
            if (rank_counts_differ(group)) scaling.groups.push_back(scaling_of_group(group));
        if (scaling.groups.size() > before) continue;
        NoScaling& refused = scaling.refused.emplace_back(NoScaling{candidates.front(), {}});
        for (const Condition& condition : kConditions)
            if (std::ranges::any_of(candidates, [&](const SearchesOfRun& one) {
                    return condition.value(one) != condition.value(candidates.front());
                }))
                refused.differences.emplace_back(condition.name);
    }
    return scaling;
}

std::string scaling_charts(std::span<const MeasuredRun> runs)
{
    const ScalingOfRuns scaling = scaling_of(runs);
    std::string figures;
    for (const Scaling& one : scaling.groups) figures += chart_of(one);
    for (const NoScaling& one : scaling.refused)
        figures += fmt::format("<p class=\"quiet\">{}: no scaling over ranks: the runs differ in {}, too.</p>\n",
                               escaped(subject_of(one.first)), listed(one.differences));
    return figures;
}

}  // namespace wayfront::report
