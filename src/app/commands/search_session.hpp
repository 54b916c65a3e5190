// The steps that the subcommands bfs and sssp share: searches from several sources, one after the
// other, and their report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/commands/search_summary.hpp"
#include "app/report/trace_file.hpp"
#include "job/job.hpp"
#include "job/progress.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::app {

/// The state that all searches of one run share.
template <typename Searches>
struct SearchSession
{
    job::Job& job;
    const session::LoadedGraph& input;
    const DistributedGraph& graph;
    Searches& searches;
    std::optional<Vertex> target;
    Trace& trace;
    bool nearest;      // whether a search starts from all sources
    bool only_search;  // whether there is no other one
};

/// Calls search(number, sources) for the sources of each search, with numbers from 1, and
/// print(outcome) for each outcome as soon as it is known; then, with `with_times`, prints the times,
/// which are the outcomes' `seconds`. Collective.
template <typename Search, typename Print>
auto search_from_all(const job::Job& job, const std::vector<std::span<const Vertex>>& sources, bool with_times,
                     Search&& search, Print&& print)
{
    std::vector<std::invoke_result_t<Search, std::int64_t, std::span<const Vertex>>> outcomes;
    std::vector<double> seconds;
    {
        job::Progress progress(job, "search", sources.size());
        for (std::size_t i = 0; i < sources.size(); ++i) {
            outcomes.push_back(search(static_cast<std::int64_t>(i) + 1, sources[i]));
            seconds.push_back(outcomes.back().seconds);
            progress.clear();
            print(outcomes.back());
            progress.advance(1);
        }
    }
    if (job.first() && with_times) print_times(std::move(seconds));
    return outcomes;
}

/// `head`, the beginning of a --json file, with the graph and the times before the searches, which
/// are added as "searches". `search_facts` is the object "search".
[[nodiscard]] session::Json search_document(session::Json head, const session::PreparedGraph& prepared,
                                            session::Json search_facts);

/// The vertices of a path, with the input's numbers or names.
[[nodiscard]] session::Json vertices_as_json(const session::LoadedGraph& input, std::span<const Vertex> vertices);

/// The facts of one search by which it is told from others: its source or, with --nearest, its
/// sources, and the seconds that it took.
[[nodiscard]] session::Json search_as_json(const session::LoadedGraph& input, std::span<const Vertex> sources,
                                           bool nearest, double seconds);

}  // namespace wayfront::app
