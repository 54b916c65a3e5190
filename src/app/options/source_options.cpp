#include "app/options/source_options.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "session/input/text_file.hpp"
#include "session/input/vertex_words.hpp"
#include "session/random_vertices.hpp"

namespace wayfront::app {

namespace {

constexpr std::string_view kRandom = "random:";
constexpr std::int64_t kMostNumber = std::numeric_limits<std::int64_t>::max();

std::int64_t random_count(const VertexOptions& options)
{
    return parse_whole(options.plural() + " random:K", std::string_view(options.many).substr(kRandom.size()), 1,
                       std::int64_t{1} << 32);
}

/// Reads the vertices in `text`, the content of the file that the options name. They have the input's
/// numbers or names. Throws InputError.
std::vector<Vertex> parse_vertices(const std::string& text, const VertexOptions& options,
                                   const session::LoadedGraph& input)
{
    std::vector<Vertex> vertices;
    session::for_each_line_of_words(text, " \t\r\v\f", [&](int line, const std::vector<session::VertexWord>& words) {
        for (const session::VertexWord& word : words)
            vertices.push_back(input.list_number(fmt::format("{}:{}:{}", options.many, line, word.column), word.text));
    });
    if (vertices.empty()) throw InputError(fmt::format("--{}: {} names no vertex", options.plural(), options.many));
    return vertices;
}

}  // namespace

void VertexOptions::add_to(OptionGroup& group, const std::string& use)
{
    group.texts(name.c_str(), each, "V", fmt::format("{} vertex V; may be given several times", use));
    group.text(plural().c_str(), many, "FILE|random:K",
               fmt::format("{} the vertices that FILE lists (-: standard input), or {} K random ones that have edges "
                           "(see --seed)",
                           use, use.substr(use.rfind(' ') + 1)));
}

bool VertexOptions::are_random() const
{
    return many.starts_with(kRandom);
}

std::int64_t VertexOptions::random_number() const
{
    return are_random() ? random_count(*this) : 0;
}

void VertexOptions::check(bool may_have_names) const
{
    if (!may_have_names)
        for (const std::string& text : each) parse_whole(name, text, 0, kMostNumber);
    if (are_random()) random_count(*this);
}

void SourceOptions::add_target_to(OptionGroup& group)
{
    group.text("target", target, "V",
               "print a shortest path from each source to vertex V; with --reverse, from V to each source");
}

void SourceOptions::add_nearest_to(OptionGroup& group)
{
    group.flag("nearest", nearest,
               "search from all sources at once: each vertex gets its nearest source, and of several that are equally "
               "near the one with the smallest number");
}

void SourceOptions::check(bool may_have_names) const
{
    if (!target.empty() && !may_have_names) parse_whole("target", target, 0, kMostNumber);
    if (!given()) throw InputError("no source given: use --source V, --sources FILE or --sources random:K");
    VertexOptions::check(may_have_names);
}

session::NamedFiles search_inputs(const session::GraphOptions& graph, const SourceOptions& sources,
                                  const std::string& config)
{
    return {graph.named("GRAPH"), sources.named_file(), {"--config", config}};
}

std::vector<Vertex> named_vertices(const job::Job& job, const VertexOptions& options, const session::LoadedGraph& input)
{
    const bool from_file = !options.many.empty() && !options.are_random();
    const std::string listed = from_file
                                   ? session::read_text_file(job.world(), options.many,
                                                             fmt::format("--{}: {}", options.plural(), options.many))
                                   : "";
    return run_agreed(job.world(), [&] {
        std::vector<Vertex> named;
        named.reserve(options.each.size());
        for (const std::string& text : options.each)
            named.push_back(input.list_number("--" + options.name, std::string_view(text)));
        if (from_file) std::ranges::copy(parse_vertices(listed, options, input), std::back_inserter(named));
        return named;
    });
}

std::optional<Vertex> named_target(const job::Job& job, const SourceOptions& options, const session::LoadedGraph& input)
{
    if (options.target.empty()) return std::nullopt;
    return run_agreed(job.world(), [&] { return input.list_number("--target", std::string_view(options.target)); });
}

std::vector<std::span<const Vertex>> sources_of_searches(const SourceOptions& options, std::vector<Vertex>& sources)
{
    if (options.nearest) {
        std::ranges::sort(sources);
        sources.erase(std::ranges::unique(sources).begin(), sources.end());
        return {sources};
    }
    std::vector<std::span<const Vertex>> searches;
    searches.reserve(sources.size());
    for (const Vertex& source : sources) searches.emplace_back(&source, 1);
    return searches;
}

std::vector<Vertex> random_vertices(const comm::Communicator& ranks, const VertexOptions& options,
                                    const DistributedGraph& graph, std::uint64_t seed)
{
    if (!options.are_random()) return {};
    return session::draw_vertices(
        ranks, graph,
        {static_cast<std::size_t>(random_count(options)), seed, options.purpose, "--" + options.plural()});
}

}  // namespace wayfront::app
