#include "app/report/page/measured_run.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/report/page/json_member.hpp"
#include "base/error.hpp"

namespace wayfront::app::page {

namespace {

/// The facts of the table, and the members that have them.
constexpr std::array<std::pair<const char*, const char*>, 29> kFacts{{
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
    {"validated", "validated"},
}};

/// The times of the table of phases.
constexpr std::array<std::pair<const char*, const char*>, 4> kPhases{{
    {"load", "load_seconds"},
    {"load", "generation_seconds"},
    {"construction", "construction_seconds"},
    {"preparation", "prepare_seconds"},
}};

// Rates from this on, and up to its inverse, count as unknown: sums and ratios of others are finite.
constexpr double kMostRate = 1e30;
// So that ranks can be counted.
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

/// The searches in the array "searches" of `parent`.
void add_searches(const std::string& algorithm, const JsonMember& parent, MeasuredRun& run)
{
    Searches searches;
    searches.algorithm = algorithm;
    if (parent.has("search.cutoff")) searches.work = "cutoff " + parent.text("search.cutoff");
    double validation = 0;
    for (const JsonMember& written : parent.elements("searches")) {
        MeasuredSearch& search = searches.all.emplace_back();
        search.seconds = written.seconds("seconds");
        for (const char* const name : {"source", "key"})
            if (written.has(name)) search.start = written.text(name);
        for (const JsonMember& source : written.elements("sources")) search.start += source.text("") + ' ';
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
void add_whole(const std::string& algorithm, const std::string& work, double seconds, MeasuredRun& run)
{
    Searches& searches = run.searches.emplace_back();
    searches.algorithm = algorithm;
    searches.work = work;
    searches.all.push_back({"", seconds, std::nullopt});
    run.phases.push_back({algorithm, seconds});
}

void add_plan(const JsonMember& document, MeasuredRun& run)
{
    if (document.has("apsp_seconds")) add_whole("all pairs", "", document.seconds("apsp_seconds"), run);
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
    if (histogram.width == 0) written.member("bin_width").fail("", "a number above 0");
    for (const JsonMember& count : written.elements("counts")) histogram.counts.push_back(count.number_from_zero());
    if (!histogram.counts.empty()) run.histogram = std::move(histogram);
}

std::string graph_of(const JsonMember& document)
{
    if (!document.has("graph")) return {};
    const JsonMember graph = document.member("graph");
    std::string name = graph.text("name");
    name.erase(0, name.rfind('/') + 1);
    for (const char* const key : {"vertices", "edges", "directed"}) name += '\n' + graph.text(key);
    for (const char* const key : {"seed", "weights"}) name += '\n' + graph.text(key);
    return fmt::format("{}\n{}\n{}", name, graph.text("reversed") == "true", document.text("seeds"));
}

/// The numbers that say how much of all pairs, or how many pairs, a job has found.
std::string work_of(const JsonMember& document)
{
    std::string work;
    for (const auto& [name, path] : {std::pair("sources", "sources"), std::pair("targets", "targets"),
                                     std::pair("limit", "within"), std::pair("pairs", "pairs.count")})
        if (document.has(path)) work += fmt::format("{}{} {}", work.empty() ? "" : ", ", name, document.text(path));
    const double resumed = document.number_or("resumed_rows", 0) + document.number_or("resumed_steps", 0);
    return work + (resumed > 0 ? ", resumed" : "");
}

/// Throws InputError unless the command is one whose runs are shown.
std::string command_of(const JsonMember& document)
{
    std::string command = document.text("command");
    constexpr std::array<std::string_view, 5> known{"bfs", "sssp", "apsp", "graph500", "plan"};
    if (std::ranges::find(known, command) == known.end()) document.fail("command", "bfs, sssp, apsp, graph500 or plan");
    return command;
}

}  // namespace

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

MeasuredRun measured_run_from_text(const std::string& text, const std::string& file)
{
    const session::Json json = parsed_json(text, file);
    const JsonMember document(json, file, "");
    if (!json.is_object() || !document.has("wayfront") || !document.has("command"))
        throw InputError(
            fmt::format("{}: expected a file that --json has written; \"wayfront\" and \"command\" are "
                        "missing",
                        file));
    const std::string command = command_of(document);
    MeasuredRun run;
    run.file = file;
    run.graph = graph_of(document);
    for (const auto& [name, path] : kFacts) run.facts.emplace_back(name, document.text(path));
    for (const auto& [name, path] : kPhases)
        if (document.has(path)) run.phases.push_back({name, document.number_or(path, 0)});
    run.is_planned = command == "plan";
    run.ranks = std::min(kMostRanks, document.number_or(run.is_planned ? "cluster.ranks" : "search.ranks", 0));
    if (run.is_planned) add_plan(document, run);
    if (command == "bfs" || command == "sssp") add_searches(command, document, run);
    if (command == "graph500")
        for (const char* const kernel : {"bfs", "sssp"})
            if (document.has(kernel)) add_searches(kernel, document.member(kernel), run);
    if (command == "apsp" && document.has("search_seconds"))
        add_whole(document.has("within") ? "pairs within a limit" : "all pairs", work_of(document),
                  document.seconds("search_seconds"), run);
    if (document.has("pairs.seconds"))
        add_whole("pairs of " + command, work_of(document), document.seconds("pairs.seconds"), run);
    if (run.searches.empty()) throw InputError(fmt::format("{}: this run of {} has no search", file, command));
    add_histogram(document, run);
    return run;
}

}  // namespace wayfront::app::page
