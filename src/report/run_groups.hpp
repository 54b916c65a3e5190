// Runs of a page in groups that may be compared, and how the page calls them.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "report/measured_run.hpp"

namespace wayfront::report {

/// The searches of an algorithm in one run. Refers to both.
struct SearchesOfRun
{
    const MeasuredRun* run;
    const Searches* searches;
};

[[nodiscard]] std::vector<SearchesOfRun> searches_of(std::span<const MeasuredRun> runs);

/// Elements in groups of those with an equal key, both in their order.
template <typename Element, typename Key>
[[nodiscard]] std::vector<std::vector<Element>> grouped(const std::vector<Element>& elements, Key&& key)
{
    std::vector<std::vector<Element>> groups;
    for (const Element& element : elements) {
        const auto found =
            std::ranges::find_if(groups, [&](const auto& group) { return key(group.front()) == key(element); });
        (found == groups.end() ? groups.emplace_back() : *found).push_back(element);
    }
    return groups;
}

/// Searches that charts show on one scale: those of a graph, a command, an algorithm and its work.
[[nodiscard]] std::vector<std::vector<SearchesOfRun>> with_equal_work(const std::vector<SearchesOfRun>& all);

/// "2 · b.json".
[[nodiscard]] std::string name_of(std::span<const MeasuredRun> runs, const MeasuredRun& run);

/// "bfs of kron:9, cutoff 3".
[[nodiscard]] std::string subject_of(const SearchesOfRun& one);

/// "load, search and write".
[[nodiscard]] std::string listed(std::span<const std::string> words);

}  // namespace wayfront::report
