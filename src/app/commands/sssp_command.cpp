// wayfront sssp: shortest distances, parents and paths from given or random vertices.

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands/search_command.hpp"
#include "app/commands/search_summary.hpp"
#include "app/options/cutoff_option.hpp"
#include "app/options/method_options.hpp"
#include "app/report/run_facts.hpp"
#include "app/report/trace_file.hpp"
#include "base/agreed.hpp"
#include "base/counted.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"
#include "session/output/parquet_table.hpp"
#include "session/output/result_file.hpp"
#include "session/output/text_output.hpp"
#include "session/output/vertex_text.hpp"
#include "session/pairs/pair_engine.hpp"
#include "session/prepared_graph.hpp"
#include "session/search_tree.hpp"
#include "session/sssp/negative_cycles.hpp"
#include "session/sssp/path_length.hpp"
#include "session/sssp/prepared_sssp.hpp"
#include "session/sssp/sssp_searches.hpp"

namespace wayfront::app {

namespace {

/// The distance of a vertex that is not reached, in the file `path`.
session::Json not_reached(const std::string& path, WeightType type)
{
    if (has_extension(path, ".json") || session::is_parquet(path)) return nullptr;
    const bool whole = !is_floating_point(type);
    return has_extension(path, ".npy") && whole ? session::Json(kUnreached) : session::Json("inf");
}

/// The result of one search, as the summary and --json report it.
struct Outcome
{
    std::span<const Vertex> sources;  // several with --nearest
    double seconds = 0;
    std::uint64_t reached = 0;
    session::PathLength farthest;
    std::uint64_t edges = 0;  // the edges of the reached vertices, without self-loops and duplicates
    algo::SsspCounters counters;
    // The edges of the input inside the source's component; no value if the result was not validated.
    std::optional<EdgeCount> validated_edges;
    std::optional<session::Path> path;
    std::optional<session::PathLength> path_length;

    [[nodiscard]] double edges_per_second() const { return static_cast<double>(edges) / seconds; }
};

class SsspCommand final : public SearchCommand
{
public:
    SsspCommand()
        : SearchCommand(
              {.name = "sssp",
               .arguments_usage = "GRAPH --source V",
               .summary = "Shortest paths: distances, parents, a shortest path to a target",
               .examples =
                   "  wayfront sssp kron:14 --source 1\n"
                   "  wayfront sssp grid:50x50 --weights uniform:1..9 --source 0 --target 2499 --output result.csv\n"
                   "  wayfront sssp grid:50x50 --weights uniform:1..9 --sources random:3 --nearest --output "
                   "nearest.csv\n"
                   "  printf '0 2499\\n7 50\\n' | wayfront sssp grid:50x50 --pairs -\n"})
    {
    }

    std::string notes() const override { return plan::SsspMethodOptions::notes() + "\n" + graph_notes(); }
    std::string advanced_notes() const override { return path_transport_notes(); }
    std::vector<OptionGroup> options() override;
    void check() const override;
    void run(job::Job& job) override;

private:
    using Session = SearchSession<session::SsspSearches>;

    Outcome search(Session& session, std::int64_t number, std::span<const Vertex> sources);
    [[nodiscard]] session::Json limits() const override;
    void check_result(Session& session, Outcome& outcome) const;
    void write_result(const Session& session, std::span<const Vertex> sources) const;
    void print(const Session& session, const Outcome& outcome) const;
    [[nodiscard]] session::Json facts_of(const session::LoadedGraph& input, const Outcome& outcome) const;
    /// Writes the file of --json. Collective.
    void write_report(const job::Job& job, const session::PreparedGraph& prepared, const session::Json& search,
                      std::span<const Outcome> outcomes) const;

    std::optional<comm::GridShape> grid_;  // no value: auto
    plan::SsspMethodOptions method_;
    algo::Cutoff cutoff_;
};

std::vector<OptionGroup> SsspCommand::options()
{
    OptionGroup sssp("Shortest paths");
    add_sources(sssp);
    add_sssp_method(sssp, method_);
    add_sssp_engine(sssp, method_);
    add_validate(sssp);
    add_transport(sssp, method_.engine);
    sssp.advanced();
    sssp.parsed("cutoff", "D",
                "find distances up to D, rounded to the type of distances; vertices beyond it count as not reached",
                [this](const std::string& text) { cutoff_ = parse_cutoff("cutoff", text); });
    add_deterministic(sssp);
    add_grid(sssp, grid_);

    OptionGroup output = outputs_.group(
        "write the distances and parents of all vertices; the extension selects the format: .txt, .csv "
        "(vertex,distance,parent), .npy (n x 2: "
        "distance, parent; int64, or float64 if weights are floats), .json, or .parquet if the build has Apache Arrow, "
        "or - for standard output. The distance of a vertex that is not "
        "reached is inf, in .npy of whole numbers -1, in .json and .parquet null",
        "algorithm, edges read");
    add_verbose(output, common.verbose);
    OptionGroup graph = graph_group(graph_, true);
    add_precision(graph, graph_);
    return {sssp, graph, output};
}

void SsspCommand::check() const
{
    graph_.check();
    pairs_.check(sources_, outputs_, graph_.may_have_names(), validate_ ? "--validate" : "");
    method_.check();
    if (validate_ && cutoff_.is_finite())
        throw InputError(
            "--validate and --cutoff do not go together: a search that ends at --cutoff does not reach its whole "
            "component");
}

void SsspCommand::run(job::Job& job)
{
    method_.smallest_parents = deterministic_;
    method_.cuts_off = cutoff_.is_finite();
    method_.nearest = sources_.nearest;
    method_.grid = grid_;
    const std::optional<plan::EnginePlan> asked = session::asked_engine(job, method_);
    check_files(job);
    Trace trace(job, outputs_.trace, common.verbose);
    session::PreparedGraph prepared;
    load(job, true, trace, prepared);
    session::LoadedGraph& input = prepared.input;
    const WeightType type = choose_weight_type(job.world(), input.list);
    if (pairs_.given()) {
        prepared.feed = std::make_unique<ListFeed>(input.list, type);
        run_pairs(job, prepared, trace, false, [&](std::int64_t pairs) {
            return session::prepare_sssp_pairs(job, {method_, cutoff_, false, pairs}, asked, prepared, trace.log());
        });
        return;
    }
    const std::optional<Vertex> target = named_target(job, sources_, input);
    std::vector<Vertex> sources = named_vertices(job, sources_, input);
    session::require_exact_numbers(job, outputs_.result, input, is_floating_point(type));
    prepared.feed = std::make_unique<ListFeed>(input.list, type);
    const std::int64_t expected = sources_.expected_searches(sources.size());
    const std::unique_ptr<session::SsspSearches> searches =
        session::prepare_sssp_searches(job, {method_, cutoff_, validate_, expected}, asked, prepared, trace.log());
    // Validation still reads them, and so would lists that are made on the host later.
    if (!validate_ && !prepared.lists_on_gpu) {
        input.list.edges = {};
        input.list.weights = {};
    }
    const std::vector<std::span<const Vertex>> starts = settle_sources(job, prepared, sources);

    // The method may change while they search.
    const auto facts_of_searches = [&] {
        const session::SsspFacts facts = searches->facts();
        return search_facts(job, prepared.grid->shape(), facts,
                            {{"algorithm", facts.algorithm}, {"weights", name_of(type)}}, facts.algorithm);
    };
    const session::Json prepared_search = facts_of_searches();
    if (job.first() && !common.quiet)
        print_preparation(input, prepared_search["in_words"], prepared.load_seconds, prepared.construction_seconds);
    Session session{job, input, *prepared.graph, *searches, target, trace, sources_.nearest, starts.size() == 1};
    const std::vector<Outcome> outcomes = search_from_all(
        job, starts, [&](std::int64_t number, std::span<const Vertex> from) { return search(session, number, from); },
        [&](const Outcome& outcome) { print(session, outcome); });

    if (!outputs_.json.empty()) write_report(job, prepared, facts_of_searches(), outcomes);
    trace.write(job);
}

void SsspCommand::write_report(const job::Job& job, const session::PreparedGraph& prepared, const session::Json& search,
                               std::span<const Outcome> outcomes) const
{
    session::Json document = report_head(job, prepared, search);
    if (!outputs_.result.empty()) document["not_reached"] = not_reached(outputs_.result, prepared.feed->weight_type());
    if (job.first())
        for (const Outcome& outcome : outcomes) document["searches"].push_back(facts_of(prepared.input, outcome));
    session::write_json(job, outputs_.json, document);
}

session::Json SsspCommand::limits() const
{
    return cutoff_.is_finite() ? session::Json{{"cutoff", cutoff_.real}} : session::Json::object();
}

Outcome SsspCommand::search(Session& session, std::int64_t number, std::span<const Vertex> sources)
{
    const comm::Communicator& world = session.job.world();
    const Partition& partition = session.graph.partition;
    Outcome outcome;
    outcome.sources = sources;
    const Clock::time_point begin = Clock::now();
    outcome.seconds = session.nearest ? session.searches.run_nearest(sources) : session.searches.run(sources.front());
    session.trace.add_search("sssp", number, session.input.input_number(sources.front()), begin);
    if (const std::vector<Vertex>& cycle = session.searches.negative_cycle(); !cycle.empty())
        throw AgreedError(
            ExitCode::wrong_result,
            fmt::format(
                "there are no shortest paths {} {}: {} {} a cycle of negative length, {}",
                session.input.reversed ? "to" : "from",
                session.nearest ? "the sources" : session::vertex_in_words(session.input.numbers(), sources.front()),
                session.nearest ? "one" : "it", session.input.reversed ? "is reached from" : "reaches",
                session::cycle_in_words(session.input, cycle)));
    const algo::SsspResult& result = session.searches.result();
    outcome.reached = result.reached;
    outcome.counters = result.counters;
    outcome.farthest = session::largest_distance(world, result.distances);
    outcome.edges = result.parents.visit([&](auto parents) {
        return session::edges_of_reached(world, session.graph,
                                         [parents](std::uint32_t local) { return parents[local] != kUnreached; });
    });
    if (validate_) check_result(session, outcome);
    if (session.target) {
        outcome.path = session::path_to(world, partition, result.parents, *session.target,
                                        session::tree_order(session.input.reversed));
        outcome.path_length = session::distance_of(world, partition, result.distances, *session.target);
    }
    if (!outputs_.result.empty()) write_result(session, sources);
    return outcome;
}

void SsspCommand::check_result(Session& session, Outcome& outcome) const
{
    const Phase phase(session.trace.log(), "validate");
    const graph500::Validation validation = session.searches.check();
    outcome.validated_edges = validation.edges;
    std::string fault = validation.violation ? describe(*validation.violation) : "";
    if (validation.valid() && outcome.reached != static_cast<std::uint64_t>(validation.reached))
        fault = fmt::format("{} vertices are reported as reached, but {} have a distance", outcome.reached,
                            validation.reached);
    if (!fault.empty())
        throw AgreedError(ExitCode::wrong_result, invalid_in_words(session.input, outcome.sources, fault));
}

void SsspCommand::write_result(const Session& session, std::span<const Vertex> sources) const
{
    const Phase phase(session.trace.log(), "write");
    const algo::SsspResult& result = session.searches.result();
    session::write_result(
        session.job, outputs_.result_of(session.input, sources.front(), session.only_search), session.input,
        session.graph.partition,
        {sources, session::as_values(result.distances), result.parents, session.nearest ? &result.nearest : nullptr});
}

session::Json SsspCommand::facts_of(const session::LoadedGraph& input, const Outcome& outcome) const
{
    session::Json facts = facts_of_start(input, outcome.sources, outcome.seconds);
    facts["reached"] = outcome.reached;
    facts["farthest"] = session::to_json(outcome.farthest);
    facts["rounds"] = outcome.counters.rounds;
    facts["relaxed_arcs"] = outcome.counters.relaxed_arcs;
    facts["pulled_arcs"] = outcome.counters.pulled_arcs;
    facts["validated"] = outcome.validated_edges.has_value();
    if (outcome.validated_edges) facts["edges"] = *outcome.validated_edges;
    if (!cutoff_.is_finite()) facts["edges_per_second"] = outcome.edges_per_second();
    if (outcome.path) {
        facts["path"] = vertices_as_json(input, outcome.path->vertices);
        if (outcome.path_length) facts["path_length"] = session::to_json(*outcome.path_length);
    }
    return facts;
}

void SsspCommand::print(const Session& session, const Outcome& outcome) const
{
    if (!session.job.first()) return;
    // With --quiet and --target, the path alone is printed.
    if (!common.quiet || !outcome.path) {
        const std::string rate = cutoff_.is_finite() ? "" : fmt::format(", {:.3g} edges/s", outcome.edges_per_second());
        std::cout << fmt::format("{} {} reached, farthest at {}, {:.6g} s{}{}\n",
                                 sources_in_words(session.input, outcome.sources, session.nearest), outcome.reached,
                                 session::to_string(outcome.farthest), outcome.seconds, rate,
                                 outcome.validated_edges ? ", valid" : "");
    }
    if (!outcome.path) return;
    if (!outcome.path_length) {
        const std::string limit =
            cutoff_.is_finite() ? fmt::format(" of length {} or less (--cutoff)", in_words(cutoff_)) : "";
        std::cout << no_path_in_words(session.input, outcome.sources, outcome.path->target) << limit << '\n';
        return;
    }
    std::cout << fmt::format("path of length {}, {}:{}\n", session::to_string(*outcome.path_length),
                             counted(outcome.path->vertices.size() - 1, "edge", "edges"),
                             vertices_in_words(session.input, outcome.path->vertices));
}

}  // namespace

std::unique_ptr<Subcommand> make_sssp_command()
{
    return std::make_unique<SsspCommand>();
}

}  // namespace wayfront::app
