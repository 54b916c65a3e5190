#include "app/commands/search_summary.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "app/report/run_facts.hpp"
#include "base/counted.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::app {

void print_preparation(const session::LoadedGraph& input, const std::string& search, double load_seconds,
                       double construction_seconds)
{
    std::cout << fmt::format("graph          {}: {}\n", input.name, graph_in_words(input))
              << fmt::format("search         {}\n", search) << fmt::format("load           {:.6g} s\n", load_seconds)
              << fmt::format("construction   {:.6g} s\n", construction_seconds) << std::flush;
}

void print_times(std::vector<double> seconds)
{
    if (seconds.size() < 2) return;
    std::ranges::sort(seconds);
    const double median = (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
    std::cout << fmt::format("{} searches   min {:.6g} s, median {:.6g} s, max {:.6g} s\n", seconds.size(),
                             seconds.front(), median, seconds.back());
}

std::string vertices_in_words(const session::LoadedGraph& input, const std::vector<Vertex>& vertices)
{
    std::string text;
    for (const Vertex v : vertices) text += ' ' + session::vertex_in_words(input.numbers(), v);
    return text;
}

std::string sources_in_words(const session::LoadedGraph& input, std::span<const Vertex> sources, bool nearest)
{
    if (nearest) return counted(sources.size(), "source", "sources");
    return fmt::format("source {:<7}", session::vertex_in_words(input.numbers(), sources.front()));
}

std::string no_path_in_words(const session::LoadedGraph& input, std::span<const Vertex> sources, Vertex target)
{
    std::string from = sources.size() == 1 ? session::vertex_in_words(input.numbers(), sources.front()) : "any source";
    std::string to = session::vertex_in_words(input.numbers(), target);
    if (input.reversed) std::swap(from, to);
    return fmt::format("no path from {} to {}", from, to);
}

std::string invalid_in_words(const session::LoadedGraph& input, std::span<const Vertex> sources,
                             const std::string& what)
{
    std::string numbering =
        input.named     ? " (vertices numbered from 0 in the order of their names)"
        : input.compact ? " (vertices numbered from 0 without gaps, not as in the file)"
        : input.first_vertex == 0
            ? ""
            : fmt::format(" (vertices numbered from 0, not from {} as in the file)", input.first_vertex);
    if (input.reversed) numbering += " (with reversed edges)";
    const std::string from =
        sources.size() == 1 ? fmt::format("{}", sources.front()) : counted(sources.size(), "source", "sources");
    return fmt::format("the search from {} is invalid{}: {}", from, numbering, what);
}

}  // namespace wayfront::app
