#include "app/options/search_outputs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "session/output/result_file.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::app {

void add_verbose(OptionGroup& group, bool& verbose)
{
    group.flag("verbose", verbose, "also print the time of each phase and the memory at its peak");
}

OptionGroup SearchOutputs::group(const std::string& result_meaning, const std::string& facts)
{
    OptionGroup group("Output");
    group.text("output,o", result, "FILE",
               result_meaning +
                   ". With several sources, each has a file, whose name contains the source's number before the "
                   "extension; with "
                   "--nearest there is one file, with one more column: source");
    group.text("json", json, "FILE",
               fmt::format("write facts of the run as JSON: graph, machine, times, {} of each search", facts));
    group.advanced();
    group.text(
        "trace", trace, "FILE",
        "write the times of each rank's steps, in Chrome's trace event format (chrome://tracing, ui.perfetto.dev)");
    return group;
}

void SearchOutputs::check() const
{
    if (!result.empty()) session::check_result_extension(result);
}

void SearchOutputs::check_files(const job::Job& job, const session::NamedFiles& inputs) const
{
    session::check_outputs(job, with_results(std::span(&result, 1)), inputs);
}

void SearchOutputs::check_results(const job::Job& job, const session::LoadedGraph& input,
                                  std::span<const Vertex> sources, bool nearest,
                                  const session::NamedFiles& inputs) const
{
    if (result.empty()) return;
    const auto require_space = [&](std::size_t files) {
        session::require_result_space(job, result, input, nearest, files);
    };
    if (nearest || sources.size() == 1) {
        require_space(1);
        return;
    }
    run_agreed(job.world(), [&] {
        if (result.rfind('.') == std::string::npos)
            throw InputError(fmt::format("--output: {} holds the result of one source, but {} sources were given",
                                         result, sources.size()));
    });
    std::vector<Vertex> distinct(sources.begin(), sources.end());  // a source that is given twice has one file
    std::ranges::sort(distinct);
    distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
    std::vector<std::string> names;
    names.reserve(distinct.size());
    for (const Vertex source : distinct) names.push_back(result_of(input, source, false));
    session::check_outputs(job, with_results(names), inputs);
    require_space(names.size());
}

std::string SearchOutputs::result_of(const session::LoadedGraph& input, Vertex source, bool only) const
{
    if (only) return result;
    const std::size_t dot = result.rfind('.');
    return fmt::format("{}.{}{}", result.substr(0, dot), session::vertex_in_file_name(input.numbers(), source),
                       result.substr(dot));
}

session::NamedFiles SearchOutputs::with_results(std::span<const std::string> results) const
{
    session::NamedFiles files{{"--json", json}, {"--trace", trace}, {"--vertex-numbers", vertex_numbers}};
    for (const std::string& one : results) files.push_back({"--output", one});
    return files;
}

}  // namespace wayfront::app
