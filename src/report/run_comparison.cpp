#include "report/run_comparison.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "report/run_groups.hpp"

namespace wayfront::report {

namespace {

std::string searches_in_words(std::size_t count)
{
    return counted(count, "search", "searches");
}

/// Compares the times, and says by what. Pairs are only of searches that do the same work from the
/// same vertices.
void compare_times(const Searches& first, const Searches& second, bool in_pairs, bool by_edge,
                   RunComparison& comparison)
{
    const std::size_t count = first.all.size();
    if (in_pairs) {
        comparison.times = compare_pairs(first.seconds(), second.seconds());
        comparison.basis = searches_in_words(count) + " in pairs";
    } else if (by_edge) {
        comparison.times = compare_samples(first.seconds_per_edge(), second.seconds_per_edge());
        comparison.basis =
            fmt::format("times per edge of {} and {}", searches_in_words(count), searches_in_words(second.all.size()));
    } else {
        comparison.times = compare_samples(first.seconds(), second.seconds());
        comparison.basis =
            fmt::format("times of {} and {}", searches_in_words(count), searches_in_words(second.all.size()));
    }
    if (comparison.times.interval) return;
    if (count == 1 && second.all.size() == 1)
        comparison.basis = "one search each: no interval";
    else
        comparison.basis += ": too few for an interval";
}

/// The names of the facts in which the graphs differ.
std::string differences(const GraphIdentity& first, const GraphIdentity& second)
{
    std::vector<std::string> names;
    if (first.name != second.name) names.emplace_back("name");
    for (const auto& [name, value] : first.facts) {
        const auto other = std::ranges::find(second.facts, name, &std::pair<std::string, std::string>::first);
        if (other == second.facts.end() || other->second != value) names.push_back(name);
    }
    return listed(names);
}

RunComparison compare(const MeasuredRun& first_run, const Searches& first, const MeasuredRun& second_run,
                      const Searches& second)
{
    const bool same_graph = first_run.graph == second_run.graph;
    const bool same_starts =
        std::ranges::equal(first.all, second.all, {}, &MeasuredSearch::start, &MeasuredSearch::start);
    const bool same_work = first.work == second.work;
    const bool in_pairs = same_graph && same_starts && same_work && first.all.size() > 1;
    // The benchmark counts other edges than bfs and sssp do.
    const bool same_edges = (first_run.command == "graph500") == (second_run.command == "graph500");
    RunComparison comparison{&first_run, &second_run, first.algorithm, {}, "", {}, same_graph && same_work};
    compare_times(first, second, in_pairs, same_edges && first.have_rates && second.have_rates, comparison);
    if (!same_graph)
        comparison.notes.push_back("the graphs differ in " + differences(first_run.graph, second_run.graph));
    if (same_graph && !same_starts) comparison.notes.emplace_back("the searches start from different vertices");
    if (!same_work)
        comparison.notes.push_back(fmt::format("the work differs: {} versus {}",
                                               first.work.empty() ? "all" : first.work,
                                               second.work.empty() ? "all" : second.work));
    if (first_run.is_planned || second_run.is_planned) comparison.notes.emplace_back("a plan is an estimate");
    return comparison;
}

}  // namespace

std::vector<RunComparison> compare_with_first(std::span<const MeasuredRun> runs)
{
    std::vector<RunComparison> comparisons;
    for (const MeasuredRun& run : runs.subspan(1))
        for (const Searches& searches : runs.front().searches)
            if (const Searches* const found = run.find(searches.algorithm))
                comparisons.push_back(compare(runs.front(), searches, run, *found));
    return comparisons;
}

const char* verdict_of(const RunComparison& comparison)
{
    if (!comparison.same_work) return "different work";
    switch (comparison.times.verdict()) {
        case Verdict::same:
            return "same";
        case Verdict::faster:
            return "faster";
        case Verdict::slower:
            return "slower";
        case Verdict::ambiguous:
            return "ambiguous";
        case Verdict::undecided:
            break;
    }
    return "undecided";
}

std::string details_of(const RunComparison& comparison)
{
    const std::optional<Interval>& interval = comparison.times.interval;
    std::string words = fmt::format("{:.4g} times as long", comparison.times.ratio);
    if (interval)
        words += fmt::format(" ({:.0f}%: {:.4g} to {:.4g})", 100 * kConfidence, interval->low, interval->high);
    words += "; " + comparison.basis;
    for (const std::string& note : comparison.notes) words += "; " + note;
    return words;
}

std::string in_words(const RunComparison& comparison)
{
    return fmt::format("{} against {}, {}: {}, {}", comparison.second->file, comparison.first->file,
                       comparison.algorithm, verdict_of(comparison), details_of(comparison));
}

}  // namespace wayfront::report
