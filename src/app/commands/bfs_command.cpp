// wayfront bfs: levels, parents and paths from given or random vertices.

#include "app/commands/bfs_command.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/commands/search_command.hpp"
#include "app/commands/search_summary.hpp"
#include "app/options/method_options.hpp"
#include "app/report/run_facts.hpp"
#include "app/report/trace_file.hpp"
#include "base/agreed.hpp"
#include "base/counted.hpp"
#include "session/bfs/bfs_searches.hpp"
#include "session/bfs/prepared_bfs.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"
#include "session/output/parquet_table.hpp"
#include "session/output/result_file.hpp"
#include "session/output/text_output.hpp"
#include "session/pairs/pair_engine.hpp"
#include "session/prepared_graph.hpp"
#include "session/reported_result.hpp"
#include "session/search_tree.hpp"

namespace wayfront::app {

namespace {

constexpr std::size_t kMostLevelsShown = 16;

/// The result of one search, as the summary and --json report it.
struct Outcome
{
    std::span<const Vertex> sources;  // several with --nearest
    double seconds = 0;
    std::uint64_t reached = 0;
    std::int64_t depth = 0;
    std::uint64_t edges = 0;  // the edges of the reached vertices, without self-loops and duplicates
    std::vector<algo::LevelRecord> levels;

    [[nodiscard]] double edges_per_second() const { return static_cast<double>(edges) / seconds; }
    std::optional<graph500::BfsValidation> validation;
    std::optional<session::Path> path;
};

class BfsCommand final : public SearchCommand
{
public:
    explicit BfsCommand(session::BfsMaker make_search)
        : SearchCommand({.name = "bfs",
                         .arguments_usage = "GRAPH --source V",
                         .summary = "Breadth-first search: levels, parents, a path to a target",
                         .examples = "  wayfront bfs kron:16 --source 1 --validate\n"
                                     "  wayfront bfs grid:100x100 --source 0 --target 9999 --output levels.csv\n"
                                     "  wayfront bfs grid:100x100 --sources random:3 --nearest --output nearest.csv\n"
                                     "  printf '0 9999\\n7 50\\n' | wayfront bfs grid:100x100 --pairs -\n"}),
          make_search_(std::move(make_search))
    {
    }

    std::string notes() const override { return graph_notes(); }
    std::string advanced_notes() const override { return search_notes(); }
    std::vector<OptionGroup> options() override;
    void check() const override;
    void run(job::Job& job) override;

private:
    using Session = SearchSession<session::HostGraphBfs>;

    Outcome search(Session& session, std::int64_t number, std::span<const Vertex> sources);
    [[nodiscard]] session::Json facts_of(const session::LoadedGraph& input, const Outcome& outcome) const;
    /// Writes the file of --json. Collective.
    void write_report(const job::Job& job, const session::PreparedGraph& prepared, const session::BfsFacts& facts,
                      std::span<const Outcome> outcomes) const;
    [[nodiscard]] session::Json limits() const override;
    void print(const Session& session, const Outcome& outcome) const;

    session::BfsMaker make_search_;
    plan::SearchOptions search_;
    std::int32_t cutoff_ = algo::kNoMaxLevel;
};

std::vector<OptionGroup> BfsCommand::options()
{
    OptionGroup bfs("Breadth-first search");
    add_sources(bfs);
    add_validate(bfs);
    bfs.advanced();
    bfs.parsed("cutoff", "D", "stop at level D; vertices beyond it count as not reached",
               [this](const std::string& text) {
                   cutoff_ = static_cast<std::int32_t>(parse_whole("cutoff", text, 0, algo::kNoMaxLevel));
               });
    add_deterministic(bfs);

    OptionGroup output = outputs_.group(
        "write the levels and parents of all vertices; the extension selects the format: .txt, .csv "
        "(vertex,level,parent), "
        ".npy (int64, n x 2: level, parent), .json, or .parquet if the build has Apache Arrow, or - for standard "
        "output; "
        "-1, or null in .parquet, for vertices that were not reached",
        "levels");
    add_verbose(output, common.verbose);
    return {bfs, graph_group(graph_, false), search_group(search_), output};
}

void BfsCommand::check() const
{
    graph_.check();
    pairs_.check(sources_, outputs_, graph_.may_have_names(), validate_ ? "--validate" : "");
    search_.check();
    if (validate_ && cutoff_ < algo::kNoMaxLevel)
        throw InputError(
            "--validate and --cutoff do not go together: a search that ends at --cutoff does not reach its whole "
            "component");
}

void BfsCommand::run(job::Job& job)
{
    session::BfsRequest request{search_, deterministic_, cutoff_, validate_, sources_.nearest};
    request.make = make_search_;
    session::PreparedGraph prepared;
    const std::optional<plan::EnginePlan> asked = session::asked_engine(job, request.search);
    check_files(job);
    Trace trace(job, outputs_.trace, common.verbose);
    load(job, false, trace, prepared);
    session::LoadedGraph& input = prepared.input;
    if (pairs_.given()) {
        run_pairs(job, prepared, trace, true, [&](std::int64_t pairs) {
            request.searches = pairs;
            auto engine = session::prepare_bfs_pairs(job, request, asked, prepared, trace.log());
            input.list.edges = {};
            return engine;
        });
        return;
    }
    const std::optional<Vertex> target = named_target(job, sources_, input);
    std::vector<Vertex> sources = named_vertices(job, sources_, input);
    request.searches = sources_.expected_searches(sources.size());

    const std::unique_ptr<session::HostGraphBfs> searches =
        session::prepare_bfs_searches(job, request, asked, prepared, trace.log());
    // Validation still reads them, and so would lists that are made on the host later.
    if (!validate_ && !prepared.lists_on_gpu) input.list.edges = {};
    const std::vector<std::span<const Vertex>> starts = settle_sources(job, prepared, sources);

    if (const session::BfsFacts facts = searches->facts(); job.first() && !common.quiet)
        print_preparation(input, search_in_words(job, prepared.grid->shape(), facts, method_in_words(facts)),
                          prepared.load_seconds, prepared.construction_seconds);
    Session session{job, input, *prepared.graph, *searches, target, trace, sources_.nearest, starts.size() == 1};
    const std::vector<Outcome> outcomes = search_from_all(
        job, starts, [&](std::int64_t number, std::span<const Vertex> from) { return search(session, number, from); },
        [&](const Outcome& outcome) { print(session, outcome); });

    if (!outputs_.json.empty()) write_report(job, prepared, searches->facts(), outcomes);
    trace.write(job);
}

void BfsCommand::write_report(const job::Job& job, const session::PreparedGraph& prepared,
                              const session::BfsFacts& facts, std::span<const Outcome> outcomes) const
{
    session::Json document = report_head(job, prepared, search_facts(job, prepared.grid->shape(), facts));
    if (!outputs_.result.empty())
        document["not_reached"] = session::is_parquet(outputs_.result) ? session::Json() : session::Json(kUnreached);
    if (job.first())
        for (const Outcome& outcome : outcomes) document["searches"].push_back(facts_of(prepared.input, outcome));
    session::write_json(job, outputs_.json, document);
}

session::Json BfsCommand::limits() const
{
    return cutoff_ != algo::kNoMaxLevel ? session::Json{{"cutoff", cutoff_}} : session::Json::object();
}

session::Json BfsCommand::facts_of(const session::LoadedGraph& input, const Outcome& outcome) const
{
    session::Json facts = facts_of_start(input, outcome.sources, outcome.seconds);
    facts["reached"] = outcome.reached;
    facts["depth"] = outcome.depth;
    if (cutoff_ == algo::kNoMaxLevel) facts["edges_per_second"] = outcome.edges_per_second();
    if (outcome.validation) facts["edges"] = outcome.validation->edges;
    facts["validated"] = outcome.validation && outcome.validation->valid();
    for (const algo::LevelRecord& level : outcome.levels) {
        session::Json& written = facts["levels"].emplace_back();
        written = {{"direction", algo::to_string(level.direction)}, {"frontier", level.frontier.vertices}};
        if (level.seconds > 0) written["seconds"] = level.seconds;
    }
    if (outcome.path) facts["path"] = vertices_as_json(input, outcome.path->vertices);
    return facts;
}

Outcome BfsCommand::search(Session& session, std::int64_t number, std::span<const Vertex> sources)
{
    const comm::Communicator& world = session.job.world();
    session::HostGraphBfs& searches = session.searches;
    Outcome outcome;
    outcome.sources = sources;
    const Clock::time_point begin = Clock::now();
    outcome.seconds = session.nearest ? searches.run_nearest(sources) : searches.run(sources.front());
    session.trace.add_search("bfs", number, session.input.input_number(sources.front()), begin);
    outcome.reached = searches.reached();
    outcome.levels = searches.level_records();
    const std::span<const std::int32_t> levels = searches.levels();
    for (const std::int32_t level : levels) outcome.depth = std::max<std::int64_t>(outcome.depth, level);
    outcome.depth = world.all_reduce(outcome.depth, comm::Reduction::max);
    outcome.edges =
        session::edges_of_reached(world, session.graph, [levels](std::uint32_t local) { return levels[local] >= 0; });
    if (validate_) {
        const Phase phase(session.trace.log(), "validate");
        outcome.validation = searches.check();
        const session::ReportedResult reported{levels, outcome.reached, outcome.depth, outcome.levels};
        const std::string fault = session::fault_of(world, session.graph.partition, reported, *outcome.validation);
        if (!fault.empty()) throw AgreedError(ExitCode::wrong_result, invalid_in_words(session.input, sources, fault));
    }
    if (session.target)
        outcome.path = session::path_to(world, session.graph.partition, searches.parents(), *session.target,
                                        session::tree_order(session.input.reversed));
    if (!outputs_.result.empty()) {
        const Phase phase(session.trace.log(), "write");
        session::write_result(
            session.job, outputs_.result_of(session.input, sources.front(), session.only_search), session.input,
            session.graph.partition,
            {sources, session::as_values(levels), searches.parents(), session.nearest ? &searches.nearest() : nullptr});
    }
    return outcome;
}

/// Returns the number of vertices of each level, beginning with the source's level.
std::string levels_in_words(const Outcome& outcome)
{
    std::vector<std::uint64_t> vertices;
    std::uint64_t unrecorded = outcome.reached;
    for (const algo::LevelRecord& level : outcome.levels) {
        vertices.push_back(level.frontier.vertices);
        unrecorded -= std::min(unrecorded, level.frontier.vertices);
    }
    // The last level has no record if the source has no edges, or if --cutoff ends the search.
    if (unrecorded > 0) vertices.push_back(unrecorded);
    std::string text =
        fmt::format("{}", fmt::join(std::span(vertices).first(std::min(vertices.size(), kMostLevelsShown)), " "));
    if (vertices.size() <= kMostLevelsShown) return text;
    return fmt::format("{} ... ({} levels; --json FILE lists all)", text, vertices.size());
}

void BfsCommand::print(const Session& session, const Outcome& outcome) const
{
    if (!session.job.first()) return;
    // With --quiet and --target, the path alone is printed.
    if (!common.quiet || !outcome.path) {
        const std::string rate =
            cutoff_ < algo::kNoMaxLevel ? "" : fmt::format(", {:.3g} edges/s", outcome.edges_per_second());
        std::cout << fmt::format("{} {} reached, depth {}, {:.6g} s{}{}\n",
                                 sources_in_words(session.input, outcome.sources, session.nearest), outcome.reached,
                                 outcome.depth, outcome.seconds, rate,
                                 outcome.validation && outcome.validation->valid() ? ", valid" : "");
    }
    if (!common.quiet) std::cout << fmt::format("  levels       {}\n", levels_in_words(outcome));
    if (!outcome.path) return;
    if (outcome.path->vertices.empty()) {
        const std::string limit =
            cutoff_ == algo::kNoMaxLevel
                ? ""
                : fmt::format(" within {} (--cutoff {})", counted(cutoff_, "level", "levels"), cutoff_);
        std::cout << no_path_in_words(session.input, outcome.sources, outcome.path->target) << limit << '\n';
        return;
    }
    std::cout << fmt::format("path of {}:{}\n", counted(outcome.path->vertices.size() - 1, "edge", "edges"),
                             vertices_in_words(session.input, outcome.path->vertices));
}

}  // namespace

std::unique_ptr<Subcommand> make_bfs_command()
{
    return make_bfs_command(session::BfsMaker());
}

std::unique_ptr<Subcommand> make_bfs_command(session::BfsMaker make_search)
{
    return std::make_unique<BfsCommand>(std::move(make_search));
}

}  // namespace wayfront::app
