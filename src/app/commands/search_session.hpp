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
#include "graph/distributed_graph.hpp"
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
    bool only_source;
};

/// Calls search(number, source) for each source, with numbers from 1, and print(outcome) for each
/// outcome as soon as it is known; then, with `with_times`, prints the times, which are the outcomes'
/// `seconds`. Collective.
template <typename Search, typename Print>
auto search_from_all(const job::Job& job, std::span<const Vertex> sources, bool with_times, Search&& search,
                     Print&& print)
{
    std::vector<std::invoke_result_t<Search, std::int64_t, Vertex>> outcomes;
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

/// The beginning of the report of --json, to which the searches are added as "searches".
/// `search_facts` is the object "search".
[[nodiscard]] session::Json search_document(const char* subcommand, const session::PreparedGraph& prepared,
                                            session::Json search_facts);

/// The vertices of a path, with the input's numbers.
[[nodiscard]] session::Json vertices_as_json(const session::LoadedGraph& input, const std::vector<Vertex>& vertices);

}  // namespace wayfront::app
