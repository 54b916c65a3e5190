#include "session/input/vertex_numbering.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/host_buffer.hpp"
#include "comm/agreement.hpp"
#include "graph/compaction.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_file.hpp"
#include "graph/joined_lists.hpp"
#include "graph/vertex_names.hpp"
#include "job/host_memory.hpp"

namespace wayfront::session {

namespace {

/// Writes what the input calls the vertices, one per line.
void write_vertices(const std::string& path, VertexNumbers numbers, Vertex vertices)
{
    constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    OutputFile file(path);
    std::string text;
    for (Vertex v = 0; v < vertices; ++v) {
        text += numbers.in_words(v);
        text += '\n';
        if (text.size() < piece_bytes) continue;
        file.write(text);
        text.clear();
    }
    file.write(text);
    file.commit();
}

/// Cuts a list that all ranks have gathered into the list of each rank.
template <typename T>
std::vector<std::span<const T>> lists_of_ranks(std::span<const T> all, std::span<const std::size_t> sizes)
{
    std::vector<std::span<const T>> lists;
    for (const std::size_t size : sizes) {
        lists.push_back(all.first(size));
        all = all.subspan(size);
    }
    return lists;
}

/// Applies --compact.
void compact_vertices(const job::Job& job, const LargeNumbers& large_numbers, LoadedGraph& graph)
{
    const comm::Communicator& world = job.world();
    HostBuffer<PackedEdge>& edges = graph.list.edges;
    const std::string what = fmt::format("numbering the vertices of {} (--compact)", graph.name);
    require_memory(job, kListedEdgeBytes * static_cast<double>(edges.size()), what);
    const HostBuffer<Vertex> own = run_agreed(world, [&] { return list_vertices(edges.span(), large_numbers); });
    const std::vector<std::size_t> sizes = world.all_gather(own.size());
    const std::size_t size_of_all = std::reduce(sizes.begin(), sizes.end());
    // The lists of all ranks, and two rounds of joined ones.
    require_memory(job, 3 * sizeof(Vertex) * static_cast<double>(size_of_all),
                   what + ", all of which each rank keeps,");
    HostBuffer<Vertex> all = run_agreed(world, [&] { return HostBuffer<Vertex>(size_of_all); });
    world.all_gather_v(own.span(), sizes, all.span());
    run_agreed(world, [&] {
        HostBuffer<Vertex> vertices = joined_lists(lists_of_ranks(std::as_const(all).span(), sizes));
        number_by_position(edges.span(), large_numbers, vertices.span());
        for (Vertex& vertex : vertices) vertex += graph.first_vertex;
        graph.listed_numbers = std::move(vertices);
        graph.list.vertex_count = static_cast<Vertex>(graph.listed_numbers.size());
        graph.first_vertex = graph.listed_numbers.empty() ? 0 : graph.listed_numbers[0];
        graph.compact = true;
    });
}

/// The names of all ranks, each once, in order. `own` are those of this rank, in order. Collective.
VertexNames joined_names(const job::Job& job, const VertexNames& own, const std::string& what)
{
    const comm::Communicator& world = job.world();
    const std::vector<std::size_t> counts = world.all_gather(own.size());
    const std::vector<std::size_t> lengths = world.all_gather(own.bytes().size());
    const std::size_t count = std::reduce(counts.begin(), counts.end());
    const std::size_t length = std::reduce(lengths.begin(), lengths.end());
    // The lists of all ranks, views of them in two rounds of joined ones, and the result.
    const double name_bytes = 2 * sizeof(std::uint64_t) + 3 * sizeof(std::string_view);
    require_memory(job, 2 * static_cast<double>(length) + name_bytes * static_cast<double>(count),
                   what + ", all of which each rank keeps,");
    HostBuffer<char> bytes;
    HostBuffer<std::uint64_t> ends;
    HostBuffer<std::string_view> views;
    run_agreed(world, [&] {
        bytes = HostBuffer<char>(length);
        ends = HostBuffer<std::uint64_t>(count);
        views = HostBuffer<std::string_view>(count);
    });
    world.all_gather_v(own.bytes(), lengths, bytes.span());
    world.all_gather_v(own.ends(), counts, ends.span());
    return run_agreed(world, [&] {
        const char* begin = bytes.data();
        std::size_t i = 0;
        for (std::size_t rank = 0; rank < counts.size(); begin += lengths[rank++]) {
            std::uint64_t first = 0;
            for (const std::size_t end = i + counts[rank]; i < end; first = ends[i++])
                views[i] = {begin + first, static_cast<std::size_t>(ends[i] - first)};
        }
        return VertexNames(joined_lists(lists_of_ranks(std::as_const(views).span(), counts), name_less).span());
    });
}

/// Throws if two names of an edge list are one number. Collective.
void refuse_two_spellings(const job::Job& job, const BlockNames& names, const LoadedGraph& graph,
                          const VertexNames& all)
{
    const comm::Communicator& world = job.world();
    const auto spellings = run_agreed(world, [&] { return two_spellings(all); });
    if (!spellings) return;
    const auto lines_before = world.exclusive_sum(static_cast<std::int64_t>(names.lines()));
    const auto line_of = [&](std::string_view name) {
        constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
        const std::optional<std::size_t> line = names.line_of(name);
        return world.all_reduce(line ? lines_before + static_cast<std::int64_t>(*line) : none, comm::Reduction::min);
    };
    std::pair first(line_of(spellings->first), spellings->first);
    std::pair second(line_of(spellings->second), spellings->second);
    if (second.first < first.first) std::swap(first, second);
    run_agreed(world, [&] {
        throw InputError(
            fmt::format("{}:{}: expected one spelling of each number among the names of vertices, found "
                        "'{}', which is '{}' in line {}",
                        graph.name, second.first, second.second, first.second, first.first));
    });
}

/// Numbers the vertices of a list that stores names; `declared` says whether its format declares them.
void number_names(const job::Job& job, const BlockNames& names, bool declared, LoadedGraph& graph)
{
    const comm::Communicator& world = job.world();
    const std::string what = fmt::format("numbering the names of {}", graph.name);
    require_memory(job, run_agreed(world, [&] { return numbering_bytes(names); }), what);
    const VertexNames own = run_agreed(world, [&] { return list_names(names); });
    VertexNames all = joined_names(job, own, what);
    if (!declared) refuse_two_spellings(job, names, graph, all);
    graph.named = true;
    graph.list.vertex_count = static_cast<Vertex>(all.size());
    run_agreed(world, [&] {
        number_by_name(graph.list.edges.span(), names, all);
        graph.names = std::make_shared<const VertexNames>(std::move(all));
    });
}

}  // namespace

void number_vertices(const job::Job& job, const GraphOptions& options, const GraphShare& share, LoadedGraph& graph)
{
    const bool has_origin = options.zero_based || options.one_based;
    run_agreed(job.world(), [&] {
        if (share.facts.named && has_origin)
            throw InputError(fmt::format("--{}-based: the vertices of {} have names, not numbers",
                                         options.zero_based ? "zero" : "one", graph.name));
        if (!share.facts.named && !options.compact && !options.vertex_numbers.empty())
            throw InputError(
                fmt::format("--vertex-numbers: requires --compact, since the vertices of {} have numbers", graph.name));
    });
    if (share.facts.named) {
        const bool declared = declares_names(options.format());
        if (!options.names && !declared)
            job.note(
                fmt::format("the ends of edges in {} are read as names, since those of the first edge are no "
                            "numbers",
                            graph.name));
        number_names(job, share.names, declared, graph);
    } else if (options.compact) {
        compact_vertices(job, share.large_numbers, graph);
    }
    run_agreed(job.world(), [&] {
        if (job.first() && !options.vertex_numbers.empty())
            write_vertices(options.vertex_numbers, graph.numbers(), graph.list.vertex_count);
    });
}

}  // namespace wayfront::session
