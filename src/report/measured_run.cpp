#include "report/measured_run.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/counted.hpp"
#include "base/error.hpp"
#include "report/json_member.hpp"

namespace wayfront::report {

namespace {

/// The facts of the table, and the members that have them.
constexpr std::array<std::pair<const char*, const char*>, 28> kFacts{{
    {"date", "date"},
    {"command line", "command_line"},
    {"wayfront", "wayfront"},
    {"hosts", "machine.hosts"},
    {"processor", "machine.cpu"},
    {"GPU", "search.device"},
    {"graph", "graph.name"},
    {"vertices", "graph.vertices"},
    {"edges", "graph.edges"},
    {"directed", "graph.directed"},
    {"reversed", "graph.reversed"},
    {"search", "search.in_words"},
    {"search of sssp", "search.sssp_in_words"},
    {"ranks", "search.ranks"},
    {"threads of a rank", "search.threads"},
    {"grid", "search.grid"},
    {"engine", "search.engine"},
    {"algorithm", "search.algorithm"},
    {"description", "search.description"},
    {"weights", "search.weights"},
    {"type of distances", "search.dtype"},
    {"planned ranks", "cluster.ranks"},
    {"planned hosts", "cluster.hosts"},
    {"planned processor", "cluster.processor"},
    {"planned network", "cluster.network"},
    {"planned grid", "design.grid"},
    {"limit", "search.limit"},
    {"obstacle", "obstacle"},
}};

/// The times of the chart of phases, in the order of a run. A part of the preparation is the
/// elimination, which is a phase of its own.
constexpr std::array<std::pair<const char*, const char*>, 6> kPhases{{
    {"load", "load_seconds"},
    {"load", "generation_seconds"},
    {"gathering", "gather_seconds"},
    {"construction", "construction_seconds"},
    {"choice of the method", "choice_seconds"},
    {"elimination", "elimination_seconds"},
}};

/// The facts by which graphs are the same, beside their names.
constexpr std::array<std::pair<const char*, const char*>, 7> kGraphFacts{{
    {"vertices", "graph.vertices"},
    {"edges", "graph.edges"},
    {"direction", "graph.directed"},
    {"reversal", "graph.reversed"},
    {"weights", "graph.weights"},
    {"seed", "graph.seed"},
    {"seeds", "seeds"},
}};

// A rate that is at least this limit, or at most its inverse, counts as unknown. Sums and ratios of other rates are
// finite.
constexpr double kMostRate = 1e30;
// An upper limit of the number of ranks, so that it fits an int.
constexpr double kMostRanks = 1e9;

void add_levels(const JsonMember& search, std::vector<MeanLevel>& levels)
{
    const std::vector<JsonMember> written = search.elements("levels");
    if (written.size() > levels.size()) levels.resize(written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        levels[i].vertices += written[i].number_or("frontier", written[i].number_or("vertices", 0));
        levels[i].seconds += written[i].number_or(
            "seconds", written[i].number_or("work_seconds", 0) + written[i].number_or("message_seconds", 0));
    }
}

/// Makes means of sums, and determines whether each search has a rate.
Searches completed(Searches searches)
{
    for (MeanLevel& level : searches.levels) {
        level.vertices /= static_cast<double>(searches.all.size());
        level.seconds /= static_cast<double>(searches.all.size());
    }
    searches.have_rates = std::ranges::all_of(searches.all, [](const MeasuredSearch& search) {
        return search.rate && *search.rate > 1 / kMostRate && *search.rate < kMostRate;
    });
    return searches;
}

void append(std::string& list, const std::string& part)
{
    list += (list.empty() ? "" : ", ") + part;
}

/// The start of a search in words: a source, a key, or several sources.
std::string start_of(const JsonMember& search)
{
    for (const char* const name : {"source", "key", "sources"})
        if (search.has(name)) return search.text(name);
    return {};
}

/// The searches in the array "searches" of `parent`.
void add_searches(const std::string& algorithm, const std::string& method, const JsonMember& parent, MeasuredRun& run)
{
    Searches searches;
    searches.algorithm = algorithm;
    searches.method = method;
    if (parent.has("search.cutoff")) append(searches.work, "cutoff " + parent.text("search.cutoff"));
    double validation = 0;
    for (const JsonMember& written : parent.elements("searches")) {
        if (const std::size_t sources = written.elements("sources").size(); sources > 0 && searches.all.empty())
            append(searches.work, "nearest of " + counted(sources, "source", "sources"));
        MeasuredSearch& search = searches.all.emplace_back();
        search.seconds = written.seconds("seconds");
        search.start = start_of(written);
        if (written.has("edges_per_second"))
            search.rate = written.member("edges_per_second").number();
        else if (written.has("key"))
            search.rate = written.number_or("edges", 0) / search.seconds;
        validation += written.number_or("validate_seconds", 0);
        add_levels(written, searches.levels);
    }
    if (searches.all.empty()) return;
    const std::vector<double> seconds = searches.seconds();
    run.phases.push_back({"searches of " + algorithm, std::accumulate(seconds.begin(), seconds.end(), 0.0)});
    if (validation > 0) run.phases.push_back({"validation of " + algorithm, validation});
    run.searches.push_back(completed(std::move(searches)));
}

/// Searches whose time is known in all only.
void add_whole(const std::string& algorithm, const std::string& work, const std::string& method, double seconds,
               MeasuredRun& run)
{
    Searches& searches = run.searches.emplace_back();
    searches.algorithm = algorithm;
    searches.work = work;
    searches.method = method;
    searches.all.push_back({"", seconds, std::nullopt});
    run.phases.push_back({algorithm, seconds});
}

void add_plan(const JsonMember& document, MeasuredRun& run)
{
    if (document.has("apsp_seconds")) add_whole("all pairs", "", "", document.seconds("apsp_seconds"), run);
    if (!document.has("search")) return;
    const JsonMember planned = document.member("search");
    Searches searches;
    searches.algorithm = document.text("for") == "sssp" ? "sssp" : "bfs";
    searches.all.push_back({"planned", planned.seconds("seconds"), std::nullopt});
    if (planned.has("teps")) searches.all.front().rate = planned.number_or("teps", 0);
    add_levels(document, searches.levels);
    run.phases.push_back({"a planned search", searches.all.front().seconds});
    run.searches.push_back(completed(std::move(searches)));
}

void add_histogram(const JsonMember& document, MeasuredRun& run)
{
    if (!document.has("summary.histogram")) return;
    const JsonMember written = document.member("summary.histogram");
    Histogram histogram{written.member("first").number(), written.member("bin_width").number_from_zero(), {}};
    for (const JsonMember& count : written.elements("counts")) histogram.counts.push_back(count.number_from_zero());
    if (!histogram.counts.empty()) run.histogram = std::move(histogram);
}

GraphIdentity graph_of(const JsonMember& document)
{
    GraphIdentity graph;
    graph.name = document.text("graph.name");
    graph.name.erase(0, graph.name.rfind('/') + 1);
    for (const auto& [name, path] : kGraphFacts) graph.facts.emplace_back(name, document.text(path));
    // Files of `plan` do not have this member.
    std::string& reversal =
        std::ranges::find(graph.facts, "reversal", &std::pair<std::string, std::string>::first)->second;
    if (reversal.empty()) reversal = "false";
    return graph;
}

/// The amount of work of a job for all pairs, or for pairs. The time of such a job includes its
/// output and its validation.
std::string work_of(const JsonMember& document)
{
    std::string work;
    const auto append_count = [&](const char* path, const char* one, const char* several) {
        if (!document.has(path)) return;
        append(work, fmt::format("{} {}", document.text(path), document.number_or(path, 0) == 1 ? one : several));
    };
    append_count("sources", "source", "sources");
    append_count("targets", "target", "targets");
    append_count("pairs.count", "pair", "pairs");
    if (document.has("within")) append(work, "limit " + document.text("within"));
    if (document.has("search.cutoff")) append(work, "cutoff " + document.text("search.cutoff"));
    if (document.has("summary.harmonic_closeness")) append(work, "figures of vertices");
    if (document.text("command") == "apsp" && document.has("not_reached")) append(work, "with output");
    if (document.number_or("validated_rows", 0) > 0) append(work, "validated");
    if (document.number_or("resumed_rows", 0) + document.number_or("resumed_steps", 0) > 0) append(work, "resumed");
    return work;
}

/// How the searches of an algorithm search, without parameters and reasons.
std::string method_of(const JsonMember& document, const std::string& algorithm)
{
    if (algorithm == "bfs") return document.text("search.direction");
    std::string method =
        document.text(document.has("search.sssp_algorithm") ? "search.sssp_algorithm" : "search.algorithm");
    for (const char* const end : {", ", " in ", " with ", " on "})
        method.erase(std::min(method.find(end), method.size()));
    return method;
}

/// The engines, and the name of the GPU.
std::string engine_of(const JsonMember& document)
{
    std::string engine = document.text("search.engine");
    if (document.has("search.sssp_engine") && document.text("search.sssp_engine") != engine)
        engine += " and " + document.text("search.sssp_engine");
    if (document.has("search.device")) engine += fmt::format(" ({})", document.text("search.device"));
    return engine;
}

/// Describes the validation of a run, for example "yes, all 8 searches are valid", "yes, 10 rows are
/// valid" or "no"; empty for a plan. A run with a search that is not valid writes no file.
std::string validation_of(const JsonMember& document, const MeasuredRun& run)
{
    if (run.is_planned) return {};
    std::size_t valid = 0;
    std::size_t all = 0;
    for (const JsonMember& search : document.elements("searches")) {
        ++all;
        if (search.text("validated") == "true") ++valid;
    }
    if (document.text("validated") == "true") {
        for (const Searches& searches : run.searches) all += searches.all.size();
        valid = all;
    }
    double rows = document.number_or("validated_rows", 0);
    for (const JsonMember& graph : document.elements("graphs")) rows += graph.number_or("validated_rows", 0);
    if (rows > 0) return fmt::format("yes, {} {} valid", rows, rows == 1 ? "row is" : "rows are");
    if (valid == 0) return "no";
    if (valid < all)
        return fmt::format("in part: {} of {} searches are valid, the others were not checked", valid, all);
    return all == 1 ? "yes, the search is valid" : fmt::format("yes, all {} searches are valid", all);
}

/// A job with many graphs, whose times are not known apart.
void add_bulk(const JsonMember& document, MeasuredRun& run)
{
    double failed = 0;
    std::string& list = run.graph.facts.emplace_back("list", "").second;
    for (const JsonMember& written : document.elements("graphs")) {
        constexpr const char* average = "summary.average_shortest_path_length";
        const auto text = [&](const char* path) { return written.text(path); };
        BulkGraphReport& graph = run.graphs.emplace_back(BulkGraphReport{
            .name = text("graph.name"),
            .vertices = text("graph.vertices"),
            .edges = text("graph.edges"),
            .method = text("search.algorithm"),
            .reachable_pairs = text("summary.reachable_pairs"),
            .average_length = written.has(average) ? fmt::format("{:.6g}", written.member(average).number()) : "",
            .diameter = text(written.has("summary.diameter") ? "summary.diameter" : "summary.largest_eccentricity"),
            .failure = text("error")});
        if (!graph.failure.empty()) ++failed;
        list += fmt::format("{} {} {} {}\n", graph.name, graph.vertices, graph.edges, text("graph.seed"));
    }
    run.graph.name = counted(run.graphs.size(), "graph", "graphs");
    std::string work = failed > 0 ? fmt::format("{} of them failed", failed) : "";
    if (validation_of(document, run) != "no") append(work, "validated");
    add_whole("all pairs of many graphs", work, "", document.seconds("seconds"), run);
}

/// Throws InputError unless the command is one whose runs are shown.
std::string command_of(const JsonMember& document)
{
    std::string command = document.text("command");
    constexpr std::array<std::string_view, 5> known{"bfs", "sssp", "apsp", "graph500", "plan"};
    if (std::ranges::find(known, command) == known.end()) document.fail("command", "bfs, sssp, apsp, graph500 or plan");
    return command;
}

/// Adds the searches and what is only known of some commands.
void add_work(const JsonMember& document, MeasuredRun& run)
{
    const std::string& command = run.command;
    if (command == "plan") add_plan(document, run);
    if (command == "bfs" || command == "sssp") add_searches(command, method_of(document, command), document, run);
    if (command == "graph500")
        for (const char* const kernel : {"bfs", "sssp"})
            if (document.has(kernel)) add_searches(kernel, method_of(document, kernel), document.member(kernel), run);
    if (command == "apsp" && document.has("graphs")) add_bulk(document, run);
    if (command == "apsp" && document.has("search_seconds"))
        add_whole(document.has("within") ? "pairs within a limit" : "all pairs", work_of(document),
                  document.text("search.algorithm"), document.seconds("search_seconds"), run);
    if (document.has("pairs.seconds"))
        add_whole("pairs of " + command, work_of(document), method_of(document, "pairs"),
                  document.seconds("pairs.seconds"), run);
    add_histogram(document, run);
}

/// Adds the phases before the searches.
void add_phases(const JsonMember& document, MeasuredRun& run)
{
    for (const auto& [name, path] : kPhases)
        if (document.has(path)) run.phases.push_back({name, document.number_or(path, 0)});
    if (!document.has("prepare_seconds")) return;
    const double eliminated = document.number_or("elimination_seconds", 0);
    run.phases.push_back({"preparation", std::max(0.0, document.number_or("prepare_seconds", 0) - eliminated)});
}

}  // namespace

MeasuredRun measured_run_from_text(const std::string& text, const std::string& file)
{
    const session::Json json = parsed_json(text, file);
    const JsonMember document(json, file, "");
    if (!json.is_object() || !document.has("wayfront") || !document.has("command"))
        throw InputError(
            fmt::format("{}: expected a file that --json has written; \"wayfront\" and \"command\" are "
                        "missing",
                        file));
    MeasuredRun run;
    run.file = file;
    run.command = command_of(document);
    run.graph = graph_of(document);
    for (const auto& [name, path] : kFacts) run.facts.emplace_back(name, document.text(path));
    run.is_planned = run.command == "plan";
    run.ranks = std::min(kMostRanks, document.number_or(run.is_planned ? "cluster.ranks" : "search.ranks", 0));
    run.threads = document.text("search.threads");
    run.engine = engine_of(document);
    add_phases(document, run);
    add_work(document, run);
    if (run.searches.empty()) throw InputError(fmt::format("{}: this run of {} has no search", file, run.command));
    run.facts.emplace_back("results checked", validation_of(document, run));
    return run;
}

std::vector<double> Searches::seconds() const
{
    std::vector<double> seconds(all.size());
    std::ranges::transform(all, seconds.begin(), &MeasuredSearch::seconds);
    return seconds;
}

std::vector<double> Searches::seconds_per_edge() const
{
    std::vector<double> seconds(all.size());
    std::ranges::transform(all, seconds.begin(), [](const MeasuredSearch& search) { return 1 / *search.rate; });
    return seconds;
}

double Searches::harmonic_mean_rate() const
{
    const std::vector<double> inverse = seconds_per_edge();
    return static_cast<double>(inverse.size()) / std::accumulate(inverse.begin(), inverse.end(), 0.0);
}

const Searches* MeasuredRun::find(const std::string& algorithm) const
{
    const auto found = std::ranges::find(searches, algorithm, &Searches::algorithm);
    return found == searches.end() ? nullptr : &*found;
}

}  // namespace wayfront::report
