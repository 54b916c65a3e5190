#include "report/run_groups.hpp"

#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wayfront::report {

std::vector<SearchesOfRun> searches_of(std::span<const MeasuredRun> runs)
{
    std::vector<SearchesOfRun> all;
    for (const MeasuredRun& run : runs)
        for (const Searches& searches : run.searches) all.push_back({&run, &searches});
    return all;
}

std::vector<std::vector<SearchesOfRun>> with_equal_work(const std::vector<SearchesOfRun>& all)
{
    return grouped(all, [](const SearchesOfRun& one) {
        return std::tie(one.run->graph, one.run->command, one.searches->algorithm, one.searches->work);
    });
}

std::string name_of(std::span<const MeasuredRun> runs, const MeasuredRun& run)
{
    return fmt::format("{} · {}", &run - runs.data() + 1, run.file);
}

std::string subject_of(const SearchesOfRun& one)
{
    const std::string& command = one.run->command;
    const bool of_other_command = command == "graph500" || command == "plan";
    return fmt::format("{}{} of {}{}", of_other_command ? command + ", " : "", one.searches->algorithm,
                       one.run->graph.name, one.searches->work.empty() ? "" : ", " + one.searches->work);
}

std::string listed(std::span<const std::string> words)
{
    if (words.size() < 2) return words.empty() ? "" : words.front();
    return fmt::format("{} and {}", fmt::join(words.first(words.size() - 1), ", "), words.back());
}

}  // namespace wayfront::report
