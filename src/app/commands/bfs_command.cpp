// wayfront bfs: levels, parents and paths from given or random vertices.

#include "app/commands/bfs_command.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/progress.hpp"
#include "app/cli/subcommand.hpp"
#include "app/failure.hpp"
#include "app/io/bfs_result_file.hpp"
#include "app/io/graph_input.hpp"
#include "app/io/named_files.hpp"
#include "app/io/run_facts.hpp"
#include "app/io/trace_file.hpp"
#include "app/machine/host_memory.hpp"
#include "app/search/bfs_searches.hpp"
#include "app/search/prepared_graph.hpp"
#include "app/search/reported_result.hpp"
#include "app/search/search_options.hpp"
#include "app/search/sources.hpp"
#include "graph500/validate.hpp"

namespace wayfront::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostNumber = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kSerialBelowVertices = std::size_t{1} << 14;
constexpr std::size_t kMostLevelsShown = 16;

struct Path
{
    Vertex target = 0;
    std::vector<Vertex> vertices;  // from the source on; empty if the target was not reached
};

/// The result of one search, as the summary and --json report it.
struct Outcome
{
    Vertex source = 0;
    double seconds = 0;
    std::uint64_t reached = 0;
    std::int64_t depth = 0;
    std::uint64_t edges = 0;  // of the reached vertices, without self-loops and duplicates
    std::vector<algo::LevelRecord> levels;

    [[nodiscard]] double edges_per_second() const { return static_cast<double>(edges) / seconds; }
    std::optional<graph500::BfsValidation> validation;
    std::optional<Path> path;
};

class BfsCommand final : public Subcommand
{
public:
    explicit BfsCommand(SearchMaker make_search) : make_search_(std::move(make_search)) {}

    std::string_view name() const override { return "bfs"; }
    std::string_view arguments_usage() const override { return "GRAPH --source V"; }
    std::string_view summary() const override { return "Breadth-first search: levels, parents, a path to a target"; }
    std::string notes() const override { return graph_notes(); }
    std::string advanced_notes() const override { return SearchOptions::notes(); }
    std::string_view examples() const override
    {
        return "  wayfront bfs kron:16 --source 1 --validate\n"
               "  wayfront bfs grid:100x100 --source 0 --target 9999 --output levels.csv\n";
    }
    std::vector<Argument> arguments() override { return {{"graph", &graph_.graph}}; }
    std::vector<OptionGroup> options() override;
    void check() const override;
    void run(Job& job) override;

private:
    struct Session;
    Outcome search(Session& session, std::int64_t number, Vertex source);
    void print(const Session& session, const Outcome& outcome) const;
    void print_summary(const std::vector<Outcome>& outcomes) const;
    [[nodiscard]] std::string output_for(Vertex outside_source, bool only) const;
    [[nodiscard]] std::vector<std::string> outputs_for(const LoadedGraph& input, const std::vector<Vertex>& sources) const;
    [[nodiscard]] NamedFiles outputs(const std::vector<std::string>& results) const;
    [[nodiscard]] NamedFiles inputs() const;

    SearchMaker make_search_;
    GraphOptions graph_;
    SearchOptions search_;
    SourceOptions sources_;
    std::string target_;
    std::int32_t cutoff_ = algo::kNoMaxLevel;
    bool validate_ = false;
    bool deterministic_ = false;
    std::string output_;
    std::string json_;
    std::string trace_;
};

/// The state that all searches of one run share.
struct BfsCommand::Session
{
    Job& job;
    const LoadedGraph& input;
    const DistributedGraph& graph;
    HostGraphBfs& searches;
    std::optional<Vertex> target;
    Trace& trace;
    bool only_source;
};

std::vector<OptionGroup> BfsCommand::options()
{
    OptionGroup bfs("Breadth-first search");
    sources_.add_to(bfs);
    bfs.text("target", target_, "V", "print a shortest path from each source to vertex V");
    bfs.flag("validate", validate_, "check each result against the edges by the five rules of Graph500; exit code 1 if a check fails");
    bfs.advanced();
    bfs.parsed("cutoff", "D", "stop at level D; vertices beyond it count as not reached",
               [this](const std::string& text) { cutoff_ = static_cast<std::int32_t>(parse_whole("cutoff", text, 0, algo::kNoMaxLevel)); });
    bfs.flag("deterministic", deterministic_,
             "report the smallest valid parent of each vertex, so that results are the same on every machine; takes one more pass over the edges");

    OptionGroup output("Output");
    output.text(
        "output,o", output_, "FILE",
        fmt::format("write the levels and parents of all vertices; the extension selects the format: {}. With several sources, each has a file, "
                    "whose name contains the source's number before the extension",
                    kResultExtensions));
    output.text("json", json_, "FILE", "write facts of the run as JSON: graph, machine, times, levels of each search");
    output.advanced();
    output.text("trace", trace_, "FILE",
                "write what each rank does at which time, in Chrome's trace event format (chrome://tracing, ui.perfetto.dev)");
    return {bfs, graph_.group(false), search_.group(), output};
}

void BfsCommand::check() const
{
    graph_.check();
    sources_.check();
    if (!target_.empty()) parse_whole("target", target_, 0, kMostNumber);
    if (!output_.empty()) check_result_extension(output_);
    search_.check();
    if (validate_ && cutoff_ < algo::kNoMaxLevel)
        throw InputError("--validate and --cutoff do not go together: a search that ends at --cutoff does not reach its whole component");
}

void BfsCommand::run(Job& job)
{
    const DeviceRequirements requirements = bfs_requirements(cutoff_ < algo::kNoMaxLevel);
    require_grid_of_all_ranks(job, search_);
    PreparedGraph prepared;
    prepared.plan = choose_plan(job, search_.grid, search_.engine, requirements);
    check_outputs(job, outputs({output_}), inputs());
    Trace trace(job, trace_);
    LoadedGraph& input = prepared.input;
    prepared.load_seconds = seconds_of(job.world(), trace.log(), "load", [&] { input = load_graph(job, graph_, false); });
    const std::optional<Vertex> target = run_agreed(job.world(), [&]() -> std::optional<Vertex> {
        if (target_.empty()) return std::nullopt;
        return input.inside("--target", parse_whole("target", target_, 0, kMostNumber));
    });
    std::vector<Vertex> sources = named_sources(job, sources_, input);

    const EnginePlan& plan = prepared.plan = settle_bfs(job, search_.engine, prepared.plan, requirements, input);
    const comm::ProcessGrid& grid = prepared.grid.emplace(job.world(), search_.settled_grid(job, plan));
    require_construction_memory(job, grid.shape(), input, plan);
    std::unique_ptr<HostGraphBfs> searches;
    construct_on_hosts(job, prepared, VertexCount::given, trace.log(), [&] {
        searches = make_search_(grid, *prepared.graph, *prepared.feed, plan,
                                {.direction = search_.policy_on(plan, job.world().size()),
                                 .exchange = search_.exchange,
                                 .stretches = search_.overlaps(job),
                                 .levels = true,
                                 .smallest_parents = deterministic_,
                                 .max_level = cutoff_,
                                 .log = trace.log()});
    });
    if (!validate_) input.list.edges = {};  // only validation still reads them
    std::ranges::copy(random_sources(job, sources_, *prepared.graph, graph_.seeds.seed), std::back_inserter(sources));
    if (validate_) {
        const auto most_edges = static_cast<std::size_t>(input.edges / job.world().size()) + 1;
        const double vertices = static_cast<double>(input.list.vertex_count) / job.world().size();
        require_memory(job, graph500::BfsValidator::most_bytes(most_edges, vertices), "validating searches of " + input.name);
        searches->prepare_check(Check::validity);
    }
    const bool only_source = sources.size() == 1;
    run_agreed(job.world(), [&] {
        if (!only_source && !output_.empty() && output_.rfind('.') == std::string::npos)
            throw InputError(fmt::format("--output: {} holds the result of one source, but {} sources were given", output_, sources.size()));
    });
    if (!output_.empty() && !only_source) check_outputs(job, outputs(outputs_for(input, sources)), inputs());

    const bool talks = job.first() && !job.quiet();
    if (talks) {
        std::cout << fmt::format("graph          {}: {}\n", input.name, graph_in_words(input))
                  << fmt::format("search         {}\n", search_in_words(job, grid.shape(), searches->facts()))
                  << fmt::format("load           {:.6g} s\n", prepared.load_seconds)
                  << fmt::format("construction   {:.6g} s\n", prepared.construction_seconds) << std::flush;
    }
    Session session{job, input, *prepared.graph, *searches, target, trace, only_source};
    std::vector<Outcome> outcomes;
    {
        Progress progress(job, "search", sources.size());
        for (const Vertex source : sources) {
            outcomes.push_back(search(session, static_cast<std::int64_t>(outcomes.size()) + 1, source));
            progress.clear();
            print(session, outcomes.back());
            progress.advance(1);
        }
    }
    if (talks && outcomes.size() > 1) print_summary(outcomes);

    Json document = json_head("bfs");
    document["graph"] = graph_facts(input);
    document["search"] = search_facts(job, grid.shape(), searches->facts());
    document["load_seconds"] = prepared.load_seconds;
    document["construction_seconds"] = prepared.construction_seconds;
    for (const Outcome& outcome : outcomes) {
        Json one = {{"source", input.outside(outcome.source)}, {"seconds", outcome.seconds}, {"reached", outcome.reached}, {"depth", outcome.depth}};
        if (cutoff_ == algo::kNoMaxLevel) one["edges_per_second"] = outcome.edges_per_second();
        if (outcome.validation) one["edges"] = outcome.validation->edges;
        one["validated"] = outcome.validation && outcome.validation->valid();
        for (const algo::LevelRecord& level : outcome.levels)
            one["levels"].push_back({{"direction", algo::to_string(level.direction)}, {"frontier", level.frontier.vertices}});
        if (outcome.path) {
            one["path"] = Json::array();
            for (const Vertex v : outcome.path->vertices) one["path"].push_back(input.outside(v));
        }
        document["searches"].push_back(std::move(one));
    }
    write_json(job, json_, document);
    trace.write(job);
}

/// Returns the vertices on the tree's path from its root to `target`; none if the target was not
/// reached. Collective.
std::vector<Vertex> path_to(const comm::Communicator& world, const Partition& partition, const VertexArray& parents, Vertex target)
{
    std::vector<Vertex> path{target};
    for (;;) {
        const Vertex v = path.back();
        Vertex parent = partition.owner(v) == world.rank() ? parents[partition.local(v)] : kUnreached;
        world.broadcast(std::span(&parent, 1), partition.owner(v));
        if (parent == kUnreached) return {};
        if (parent == v) break;
        path.push_back(parent);
    }
    std::ranges::reverse(path);
    return path;
}

/// Counts the edges of the vertices that were reached: undirected edges count once, directed edges
/// count if they start at a reached vertex. Collective.
std::uint64_t edges_of_reached(const comm::Communicator& world, const DistributedGraph& graph, std::span<const std::int32_t> levels)
{
    std::uint64_t out_edges = 0;
#pragma omp parallel for reduction(+ : out_edges) if (levels.size() >= kSerialBelowVertices)
    for (std::size_t local = 0; local < levels.size(); ++local) {
        const std::uint32_t slot = graph.slot_of_local[local];
        if (levels[local] >= 0 && slot != graph.block.slot_stride) out_edges += graph.block.out_degrees[slot];
    }
    return world.all_reduce(out_edges, comm::Reduction::sum) / (graph.directed ? 1 : 2);
}

/// The message names all vertices as the validator numbers them, from 0.
std::string invalid_in_words(const LoadedGraph& input, Vertex source, const std::string& what)
{
    const std::string numbering =
        input.first_vertex == 0 ? "" : fmt::format(" (vertices numbered from 0, not from {} as in the file)", input.first_vertex);
    return fmt::format("the search from {} is invalid{}: {}", source, numbering, what);
}

Outcome BfsCommand::search(Session& session, std::int64_t number, Vertex source)
{
    const comm::Communicator& world = session.job.world();
    HostGraphBfs& searches = session.searches;
    Outcome outcome;
    outcome.source = source;
    const Clock::time_point begin = Clock::now();
    outcome.seconds = searches.run(source);
    session.trace.add_search("bfs", number, session.input.outside(source), begin);
    outcome.reached = searches.reached();
    outcome.levels = searches.level_records();
    const std::span<const std::int32_t> levels = searches.levels();
    for (const std::int32_t level : levels) outcome.depth = std::max<std::int64_t>(outcome.depth, level);
    outcome.depth = world.all_reduce(outcome.depth, comm::Reduction::max);
    outcome.edges = edges_of_reached(world, session.graph, levels);
    if (validate_) {
        const Phase phase(session.trace.log(), "validate");
        outcome.validation = searches.check();
        const ReportedResult reported{levels, outcome.reached, outcome.depth, outcome.levels};
        const std::string fault = fault_of(world, session.graph.partition, reported, *outcome.validation);
        if (!fault.empty()) throw AgreedError(ExitCode::wrong_result, invalid_in_words(session.input, source, fault));
    }
    if (session.target) outcome.path = Path{*session.target, path_to(world, session.graph.partition, searches.parents(), *session.target)};
    if (!output_.empty()) {
        const Phase phase(session.trace.log(), "write");
        write_bfs_result(session.job, output_for(session.input.outside(source), session.only_source), session.input, session.graph.partition, source,
                         levels, searches.parents());
    }
    return outcome;
}

std::string BfsCommand::output_for(Vertex outside_source, bool only) const
{
    if (only) return output_;
    const std::size_t dot = output_.rfind('.');
    return fmt::format("{}.{}{}", output_.substr(0, dot), outside_source, output_.substr(dot));
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
    std::string text = fmt::format("{}", fmt::join(std::span(vertices).first(std::min(vertices.size(), kMostLevelsShown)), " "));
    if (vertices.size() <= kMostLevelsShown) return text;
    return fmt::format("{} ... ({} levels; --json FILE lists all)", text, vertices.size());
}

/// Returns the name of each source's result file.
std::vector<std::string> BfsCommand::outputs_for(const LoadedGraph& input, const std::vector<Vertex>& sources) const
{
    std::vector<Vertex> distinct = sources;  // a source that is given twice has one file
    std::ranges::sort(distinct);
    distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
    std::vector<std::string> names;
    names.reserve(distinct.size());
    for (const Vertex source : distinct) names.push_back(output_for(input.outside(source), false));
    return names;
}

NamedFiles BfsCommand::outputs(const std::vector<std::string>& results) const
{
    NamedFiles files{{"--json", json_}, {"--trace", trace_}};
    for (const std::string& result : results) files.push_back({"--output", result});
    return files;
}

NamedFiles BfsCommand::inputs() const
{
    return {graph_.named("GRAPH"), {"--sources", sources_.are_random() ? "" : sources_.many}, {"--config", common.config}};
}

void BfsCommand::print(const Session& session, const Outcome& outcome) const
{
    if (!session.job.first()) return;
    const auto outside = [&](Vertex v) { return session.input.outside(v); };
    // With --quiet and --target, the path alone is printed.
    if (!session.job.quiet() || !outcome.path) {
        const std::string rate = cutoff_ < algo::kNoMaxLevel ? "" : fmt::format(", {:.3g} edges/s", outcome.edges_per_second());
        std::cout << fmt::format("source {:<7} {} reached, depth {}, {:.6g} s{}{}\n", outside(outcome.source), outcome.reached, outcome.depth,
                                 outcome.seconds, rate, outcome.validation && outcome.validation->valid() ? ", valid" : "");
    }
    if (!session.job.quiet()) std::cout << fmt::format("  levels       {}\n", levels_in_words(outcome));
    if (!outcome.path) return;
    if (outcome.path->vertices.empty()) {
        const std::string limit =
            cutoff_ == algo::kNoMaxLevel ? "" : fmt::format(" within {} level{} (--cutoff {})", cutoff_, cutoff_ == 1 ? "" : "s", cutoff_);
        std::cout << fmt::format("no path from {} to {}{}\n", outside(outcome.source), outside(outcome.path->target), limit);
        return;
    }
    std::string text = fmt::format("path of {} edges:", outcome.path->vertices.size() - 1);
    for (const Vertex v : outcome.path->vertices) text += fmt::format(" {}", outside(v));
    std::cout << text << '\n';
}

void BfsCommand::print_summary(const std::vector<Outcome>& outcomes) const
{
    std::vector<double> seconds;
    std::ranges::transform(outcomes, std::back_inserter(seconds), &Outcome::seconds);
    std::ranges::sort(seconds);
    const double median = (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
    std::cout << fmt::format("{} searches   min {:.6g} s, median {:.6g} s, max {:.6g} s\n", seconds.size(), seconds.front(), median, seconds.back());
}

}  // namespace

std::unique_ptr<Subcommand> make_bfs_command()
{
    return make_bfs_command(prepare_bfs);
}

std::unique_ptr<Subcommand> make_bfs_command(SearchMaker make_search)
{
    return std::make_unique<BfsCommand>(std::move(make_search));
}

}  // namespace wayfront::app
