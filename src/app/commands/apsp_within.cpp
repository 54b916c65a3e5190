// wayfront apsp --within: the pairs of a source and a vertex within a limit, as sparse rows.

#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands/apsp_command.hpp"
#include "app/options/cutoff_option.hpp"
#include "app/report/run_facts.hpp"
#include "app/report/trace_file.hpp"
#include "base/counted.hpp"
#include "session/apsp/within_job.hpp"
#include "session/output/json.hpp"
#include "session/output/sparse_file.hpp"
#include "session/output/text_output.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::app {

void ApspCommand::check_within() const
{
    for (const auto& [given, other] :
         {std::pair(!bulk_.empty(), "--bulk"), std::pair(targets_.given(), "--targets"),
          std::pair(!predecessors_.empty(), "--predecessors"), std::pair(summary_, "--summary"),
          std::pair(!figures_.empty(), "--vertices"), std::pair(validate_, "--validate"),
          std::pair(!checkpoint_.empty(), "--checkpoint")})
        if (given) throw InputError(fmt::format("--within and {} do not go together", other));
    if (method_.engine.engine == Engine::gpu)
        throw InputError("--within: the searches run on the CPU's cores; --engine gpu is not possible");
    if (!method_.is_automatic() && method_.method != "dijkstra")
        throw InputError(fmt::format(
            "--within: a search for each source ends at the limit, as with dijkstra; --algorithm {} makes whole rows",
            method_.method));
    if (distances_.empty()) throw InputError("--within: requires --output FILE");
    session::check_sparse_extension("--within: --output", distances_);
}

void ApspCommand::run_within(job::Job& job)
{
    Run run;
    load(job, graph_, run);
    take_sources(job, run);
    session::release_edges(run);
    session::WithinPlan plan;
    run.choice_seconds = session::seconds_of(job.world(), &run.log, "choose method",
                                             [&] { plan = session::plan_within(job, method_, *within_, run); });
    session::SparseFile file(job, distances_, session::shape_within(run, plan));
    session::EngineFacts facts;
    facts.engine = "cpu";
    run.in_words = search_in_words(job, std::nullopt, facts, "dijkstra up to the limit");
    print_choice(job, run);
    std::unique_ptr<cpu::BoundedSearches> searches;
    run.prepare_seconds = session::seconds_of(job.world(), &run.log, "prepare search", [&] {
        searches = run_agreed(job.world(), [&] { return cpu::make_bounded_searches(*run.whole.graph, plan.searches); });
    });
    run.search_seconds = session::seconds_of(
        job.world(), &run.log, "search", [&] { session::write_within(job, *searches, run, file, plan.kept_bytes); });
    if (job.first() && !common.quiet)
        std::cout << fmt::format(
            "preparation    {:.6g} s\nfound    {} at distances up to {} from {}, themselves included, by {} in {:.4g} "
            "s\n",
            run.prepare_seconds, counted(file.entries(), "vertex", "vertices"), in_words(*within_),
            counted(run.sources.size(), "source", "sources"), searches->description(), run.search_seconds);
    if (common.verbose) print_phases(job, run.log);
    if (json_.empty()) return;
    session::Json document = json_head(job, *this);
    document["graph"] = graph_facts(run.input);
    document["search"] = {{"ranks", job.world().size()},
                          {"threads", job.threads()},
                          {"engine", "cpu"},
                          {"algorithm", "dijkstra"},
                          {"description", searches->description()},
                          {"dtype", algo::name_of(plan.searches.type)},
                          {"in_words", run.in_words}};
    document["within"] = within_->real;
    document["sources"] = run.sources.size();
    document["entries"] = file.entries();
    add_phases(run, document);
    session::write_json(job, json_, document);
}

}  // namespace wayfront::app
