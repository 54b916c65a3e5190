#include "app/commands/apsp_bulk_results.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "job/failure.hpp"
#include "session/input/graph_list.hpp"
#include "session/output/json.hpp"

namespace wayfront::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFileExtension = ".npy";

struct Column
{
    // The second ones if only some vertices were sources.
    std::array<const char*, 2> titles;
    const char* part;  // the part of a graph's facts
    std::array<const char*, 2> keys;
};

constexpr std::array kColumns{
    Column{{"vertices", ""}, "graph", {"vertices", ""}},
    Column{{"edges", ""}, "graph", {"edges", ""}},
    Column{{"reachable pairs", ""}, "summary", {"reachable_pairs", ""}},
    Column{{"average path length", ""}, "summary", {"average_shortest_path_length", ""}},
    Column{{"diameter", "largest eccentricity"}, "summary", {"diameter", "largest_eccentricity"}},
    Column{{"radius", "smallest eccentricity"}, "summary", {"radius", "smallest_eccentricity"}},
};

std::string cell_of(const session::Json& facts, const Column& column)
{
    const session::Json& part = facts.at(column.part);
    const auto found = std::ranges::find_if(column.keys, [&](const char* key) { return part.contains(key); });
    if (found == column.keys.end() || part.at(*found).is_null()) return "-";
    const session::Json& value = part.at(*found);
    return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

void create_folder(const BulkFolder& folder)
{
    std::error_code error;
    fs::create_directories(folder.path, error);
    if (!fs::is_directory(folder.path))
        throw InputError(fmt::format("{}: {}: with --bulk, a folder is expected, which gets a file for each graph{}",
                                     folder.option, folder.path, error ? fmt::format(" ({})", error.message()) : ""));
}

void require_different_names(const BulkFolder& folder, std::span<const std::string> graphs)
{
    std::map<std::string, std::string> graph_of;
    for (const std::string& graph : graphs) {
        const auto [other, is_new] = graph_of.emplace(folder.file_of(graph), graph);
        if (is_new) continue;
        throw InputError(other->second == graph
                             ? fmt::format("--bulk: {} is listed twice", graph)
                             : fmt::format("{}: the results of {} and of {} would have the same name, {}",
                                           folder.option, other->second, graph, other->first));
    }
}

}  // namespace

std::string BulkFolder::file_of(const std::string& graph) const
{
    return (fs::path(path) / (session::result_name_of(graph) + kFileExtension)).string();
}

void create_bulk_folders(const job::Job& job, std::span<const BulkFolder> folders, std::span<const std::string> graphs)
{
    run_agreed(job.world(), [&] {
        if (!job.first()) return;
        const BulkFolder* before = nullptr;
        for (const BulkFolder& folder : folders) {
            if (folder.path.empty()) continue;
            require_different_names(folder, graphs);
            create_folder(folder);
            if (before != nullptr && fs::equivalent(before->path, folder.path))
                throw InputError(
                    fmt::format("{} and {} are the same folder, {}", before->option, folder.option, folder.path));
            before = &folder;
        }
    });
}

std::string bulk_table(std::span<const std::string> graphs, std::span<const session::BulkOutcome> outcomes)
{
    std::vector<std::vector<std::string>> lines(1 + graphs.size());
    std::array<bool, kColumns.size()> of_some{};  // whether only some vertices of a graph were sources
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        lines[i + 1].push_back(graphs[i]);
        if (outcomes[i].failure) {
            lines[i + 1].emplace_back("failed");
            continue;
        }
        const session::Json facts = session::Json::parse(outcomes[i].facts);
        for (std::size_t column = 0; column < kColumns.size(); ++column) {
            lines[i + 1].push_back(cell_of(facts, kColumns[column]));
            of_some[column] = of_some[column] || facts.at(kColumns[column].part).contains(kColumns[column].keys[1]);
        }
    }
    lines[0].emplace_back("graph");
    for (std::size_t column = 0; column < kColumns.size(); ++column)
        lines[0].emplace_back(kColumns[column].titles[of_some[column] ? 1 : 0]);
    std::vector<std::size_t> widths(1 + kColumns.size());
    for (const std::vector<std::string>& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    std::string text;
    for (const std::vector<std::string>& line : lines) {
        text += fmt::format("{:<{}}", line[0], widths[0]);
        for (std::size_t i = 1; i < line.size(); ++i) text += fmt::format("  {:>{}}", line[i], widths[i]);
        text += '\n';
    }
    return text;
}

session::Json bulk_facts(std::span<const std::string> graphs, std::span<const session::BulkOutcome> outcomes)
{
    session::Json all = session::Json::array();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const std::optional<Failure>& failure = outcomes[i].failure;
        all.push_back(!failure ? session::Json::parse(outcomes[i].facts)
                               : session::Json{{"graph", {{"name", graphs[i]}}},
                                               {"error", failure->message},
                                               {"exit_code", static_cast<int>(failure->code)}});
    }
    return all;
}

void fail_if_any_failed(const job::Job& job, std::span<const std::string> graphs,
                        std::span<const session::BulkOutcome> outcomes)
{
    std::array<std::int64_t, 2> result{};  // the number of failures, and the first one's exit code
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const std::optional<Failure>& failure = outcomes[i].failure;
        if (!failure) continue;
        if (result[0]++ == 0) result[1] = static_cast<std::int64_t>(failure->code);
        const bool named = failure->message.find(graphs[i]) != std::string::npos;
        job::print_error(named ? failure->message : graphs[i] + ": " + failure->message);
    }
    job.world().broadcast(std::span<std::int64_t>(result), 0);
    if (result[0] > 0)
        throw AgreedError(static_cast<ExitCode>(result[1]),
                          fmt::format("{} of {} graphs failed", result[0], graphs.size()));
}

}  // namespace wayfront::app
