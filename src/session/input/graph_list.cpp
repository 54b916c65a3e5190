#include "session/input/graph_list.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "graph/generators/spec.hpp"
#include "graph/io/file_format.hpp"
#include "session/input/text_file.hpp"

namespace wayfront::session {

namespace {

namespace fs = std::filesystem;

constexpr const char* kWeightsExtension = ".weights";

bool has_graph_format(const std::string& path)
{
    try {
        (void)format_of(path);
        return true;
    } catch (const InputError&) {
        return false;
    }
}

/// The graph files of a folder, one per line.
std::string files_in(const std::string& option, const std::string& folder, bool any_extension)
{
    std::error_code error;
    std::vector<std::string> paths;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        std::error_code unknown;
        const std::string name = entry->path().filename().string();
        if (!entry->is_regular_file(unknown) || name.starts_with('.') || name.ends_with(kWeightsExtension)) continue;
        if (any_extension || has_graph_format(name)) paths.push_back((fs::path(folder) / name).string());
    }
    if (error) throw InputError(fmt::format("{}: {}: {}", option, folder, error.message()));
    std::ranges::sort(paths);
    std::string lines;
    for (const std::string& path : paths) lines += path + '\n';
    return lines;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view spaces = " \t\r";
    const std::size_t first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

std::string_view without_comment(std::string_view line)
{
    for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
        if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
    return line;
}

}  // namespace

std::vector<std::string> list_graphs(const job::Job& job, const std::string& option, const std::string& path,
                                     bool any_extension)
{
    const std::string folder = run_on_first(job.world(), [&] {
        std::error_code unknown;
        return fs::is_directory(path, unknown) ? std::string("yes") : std::string();
    });
    std::vector<std::string> graphs;
    if (!folder.empty()) {
        std::istringstream lines(run_on_first(job.world(), [&] { return files_in(option, path, any_extension); }));
        for (std::string line; std::getline(lines, line);) graphs.push_back(line);
    } else {
        std::istringstream lines(read_text_file(job.world(), path, fmt::format("{}: {}", option, path)));
        for (std::string line; std::getline(lines, line);)
            if (const std::string_view graph = trimmed(without_comment(line)); !graph.empty())
                graphs.emplace_back(graph);
    }
    run_agreed(job.world(), [&] {
        if (graphs.empty())
            throw InputError(
                folder.empty() ? fmt::format("{}: {} lists no graph", option, path)
                               : fmt::format("{}: {} has no file with the extension of a graph format", option, path));
    });
    return graphs;
}

std::string result_name_of(const std::string& graph)
{
    if (looks_like_spec(graph)) {
        std::string name = graph;
        std::ranges::replace(name, '/', '-');
        return name;
    }
    const fs::path file = fs::path(graph).filename();
    return fs::path(without_compression(file.string())).stem().string();
}

}  // namespace wayfront::session
