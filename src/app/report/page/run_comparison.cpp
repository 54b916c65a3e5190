#include "app/report/page/run_comparison.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.hpp"

namespace wayfront::app::page {

namespace {

RunComparison compare(const MeasuredRun& first_run, const Searches& first, const MeasuredRun& second_run,
                      const Searches& second)
{
    const bool same_graph = first_run.graph == second_run.graph;
    const bool same_starts =
        std::ranges::equal(first.all, second.all, {}, &MeasuredSearch::start, &MeasuredSearch::start);
    const bool same_work = first.work == second.work;
    const std::size_t fewer = std::min(first.all.size(), second.all.size());
    RunComparison comparison{&first_run, &second_run, first.algorithm, {}, "", {}};
    if (same_graph && same_starts && same_work && fewer > 1) {
        comparison.times = compare_pairs(first.seconds(), second.seconds());
        comparison.basis = fmt::format("{} in pairs", counted(fewer, "search", "searches"));
    } else if (const bool by_edge = first.have_rates && second.have_rates; by_edge) {
        comparison.times = compare_samples(first.seconds_per_edge(), second.seconds_per_edge());
        comparison.basis = fmt::format("times per edge of {} and {}", counted(first.all.size(), "search", "searches"),
                                       counted(second.all.size(), "search", "searches"));
    } else {
        comparison.times = compare_samples(first.seconds(), second.seconds());
        comparison.basis = fmt::format("times of {} and {}", counted(first.all.size(), "search", "searches"),
                                       counted(second.all.size(), "search", "searches"));
    }
    if (!same_graph) comparison.notes.emplace_back("the graphs differ (name, size, direction, weights or seed)");
    if (same_graph && !same_starts) comparison.notes.emplace_back("the searches start from different vertices");
    if (!same_work)
        comparison.notes.push_back(fmt::format("the work differs: {} and {}", first.work.empty() ? "all" : first.work,
                                               second.work.empty() ? "all" : second.work));
    if (first_run.is_planned || second_run.is_planned) comparison.notes.emplace_back("a plan is an estimate");
    if (!comparison.times.interval) comparison.notes.emplace_back("there are too few searches for an interval");
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

const char* to_string(Verdict verdict)
{
    switch (verdict) {
        case Verdict::same:
            return "same";
        case Verdict::faster:
            return "faster";
        case Verdict::slower:
            return "slower";
        case Verdict::ambiguous:
            break;
    }
    return "ambiguous";
}

std::string ratio_in_words(const Comparison& comparison)
{
    const std::string interval = comparison.interval ? fmt::format(" ({:.0f}%: {:.4g} to {:.4g})", 100 * kConfidence,
                                                                   comparison.interval->low, comparison.interval->high)
                                                     : "";
    return fmt::format("{:.4g} times as long{}", comparison.ratio, interval);
}

std::string in_words(const RunComparison& comparison)
{
    std::string words = fmt::format("{} against {}, {}: {}, {}; {}", comparison.second->file, comparison.first->file,
                                    comparison.algorithm, to_string(comparison.times.verdict()),
                                    ratio_in_words(comparison.times), comparison.basis);
    for (const std::string& note : comparison.notes) words += "; " + note;
    return words;
}

}  // namespace wayfront::app::page
