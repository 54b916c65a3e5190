#include "app/commands/search_command.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/report/run_facts.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::app {

void SearchCommand::add_sources(OptionGroup& group)
{
    sources_.add_to(group);
    sources_.add_nearest_to(group);
    sources_.add_target_to(group);
    pairs_.add_to(group);
    add_reverse(group, graph_);
}

void SearchCommand::add_validate(OptionGroup& group)
{
    group.flag("validate", validate_,
               "check each result against the edges by the five rules of Graph500; exit code 1 if a check fails");
}

void SearchCommand::add_deterministic(OptionGroup& group)
{
    group.flag("deterministic", deterministic_,
               "report the smallest valid parent of each vertex, so that results are the same on every machine; takes "
               "one more pass over the edges");
}

session::NamedFiles SearchCommand::inputs() const
{
    session::NamedFiles files = search_inputs(graph_, sources_, common.config);
    files.push_back(pairs_.named_file());
    return files;
}

void SearchCommand::check_files(const job::Job& job)
{
    outputs_.vertex_numbers = graph_.vertex_numbers;
    if (pairs_.given() && outputs_.result.empty()) outputs_.result.assign(1, '-');  // standard output
    outputs_.check_files(job, inputs());
}

void SearchCommand::load(const job::Job& job, bool weighted, Trace& trace, session::PreparedGraph& prepared) const
{
    prepared.load_seconds = session::seconds_of(job.world(), trace.log(), "load", [&] {
        prepared.input = session::load_graph(job, graph_, weighted);
        if (weighted) session::require_weights(job, prepared.input);
    });
    session::note_order(job, graph_, prepared.input, outputs_.result);
}

std::vector<std::span<const Vertex>> SearchCommand::settle_sources(const job::Job& job,
                                                                   const session::PreparedGraph& prepared,
                                                                   std::vector<Vertex>& sources) const
{
    std::ranges::copy(random_vertices(job.world(), sources_, *prepared.graph, graph_.seeds.seed),
                      std::back_inserter(sources));
    std::vector<std::span<const Vertex>> of_searches = sources_of_searches(sources_, sources);
    outputs_.check_results(job, prepared.input, sources, sources_.nearest, inputs());
    return of_searches;
}

session::Json SearchCommand::report_head(const job::Job& job, const session::PreparedGraph& prepared,
                                         session::Json search) const
{
    session::Json document = json_head(job, *this);
    document["graph"] = graph_facts(prepared.input);
    document["search"] = std::move(search);
    document["search"].update(limits());
    document["load_seconds"] = prepared.load_seconds;
    document["construction_seconds"] = prepared.construction_seconds;
    return document;
}

session::Json SearchCommand::facts_of_start(const session::LoadedGraph& input, std::span<const Vertex> sources,
                                            double seconds) const
{
    if (sources_.nearest) return {{"sources", vertices_as_json(input, sources)}, {"seconds", seconds}};
    return {{"source", session::vertex_as_json(input.numbers(), sources.front())}, {"seconds", seconds}};
}

session::Json vertices_as_json(const session::LoadedGraph& input, std::span<const Vertex> vertices)
{
    session::Json list = session::Json::array();
    for (const Vertex v : vertices) list.push_back(session::vertex_as_json(input.numbers(), v));
    return list;
}

}  // namespace wayfront::app
