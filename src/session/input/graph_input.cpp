#include "session/input/graph_input.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/agreement.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/weights.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/graph_file.hpp"
#include "graph/io/input_file.hpp"
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "session/input/file_fingerprint.hpp"
#include "session/input/vertex_numbering.hpp"
#include "session/input/watched_edges.hpp"

namespace wayfront::session {

namespace {

constexpr std::size_t kSerialBelow = std::size_t{1} << 14;  // edges

LoadedGraph generate_graph(const job::Job& job, const GraphOptions& options, bool with_weights)
{
    const comm::Communicator& world = job.world();
    const std::unique_ptr<EdgeSource> source =
        run_agreed(world, [&] { return make_edge_source(options.graph, options.seeds); });
    const bool wide = run_agreed(world, [&] {
        return !options.weights.empty() && WeightSpec::parse(options.weights, source->vertex_count()).wide();
    });
    const double edge_bytes = sizeof(PackedEdge) + (wide ? sizeof(std::int64_t) : with_weights ? sizeof(float) : 0);
    require_memory(job, edge_bytes * static_cast<double>(source->edge_count()) / world.size(),
                   "the edge list of " + options.graph);
    LoadedGraph graph;
    graph.format = "generated";
    job::Progress progress(job, "generate");
    graph.list = run_agreed(world, [&] {
        const bool own_weights = with_weights && options.weights.empty();
        if (progress.listener() == nullptr) return generate_share(*source, world.rank(), world.size(), own_weights);
        progress.begin("", static_cast<std::uint64_t>(source->edge_count() / world.size()));
        return generate_share(WatchedSource(*source, *progress.listener()), world.rank(), world.size(), own_weights);
    });
    return graph;
}

/// Prints what the reader did that users may not expect.
void note_reading(const job::Job& job, const GraphOptions& options, const ShareFacts& facts)
{
    const std::string& name = options.graph;
    const ReadNotes& notes = facts.notes;
    if (notes.timestamps) job.note(fmt::format("the column of timestamps of {} is skipped", name));
    if (notes.times_as_weights)
        job.note(
            fmt::format("the third column of {} holds UNIX times, as it seems, and is read as weights; --weight-column "
                        "none leaves it out",
                        name));
    if (notes.left_out)
        job.note(fmt::format("{} has columns that are left out; --weight-column NAME reads one as weights", name));
    if (notes.row_of_columns) job.note(fmt::format("the first line of {} is read as the names of its columns", name));
    if (notes.row_is_edge) job.note(fmt::format("the first line of {} is read as an edge", name));
    if (notes.node_lines) job.note(fmt::format("the lines of {} about vertices (n) are skipped", name));
    if (notes.counts_line)
        job.note(fmt::format(
            "the first line of {} is taken as its numbers of vertices and edges, which the other lines agree with",
            name));
    if (notes.may_be_counts)
        job.note(
            fmt::format("the first line of {} is read as an edge; '# Nodes: {} Edges: {}' in its place would make it "
                        "the numbers of vertices and "
                        "edges, which the other lines agree with",
                        name, facts.first_line.source + facts.first_vertex, facts.first_line.edges));
    if (notes.matrix)
        job.note(
            fmt::format("{} has as many lines as columns and is symmetric; it is read as an edge list, and would be "
                        "another graph as an adjacency matrix",
                        name));
    if (notes.lost_digits)
        job.note(facts.weights == WeightKind::float64
                     ? fmt::format("weights of {} have more digits than 64-bit floats, and are rounded", name)
                     : fmt::format("weights of {} have more digits than 32-bit floats, and are rounded{}", name,
                                   options.has_precision_option ? "; --precision double keeps them" : ""));
}

LoadedGraph read_graph_file(const job::Job& job, const GraphOptions& options)
{
    const comm::Communicator& world = job.world();
    const bool several_hosts = job.ranks_a_host() < world.size();
    if (several_hosts)
        require_alike(world, "the hosts see different files under the name " + options.graph,
                      fingerprint_of_file(options.graph));
    // The available memory is read before any rank allocates its share. The shares of a host's
    // ranks are about equal, except if one rank reads the whole file.
    const double none_known = std::numeric_limits<double>::max();
    const double available = job.host().all_reduce(job::available_bytes().value_or(none_known), comm::Reduction::min);
    const int sharers = can_be_shared(options.graph) && !declares_names(options.format()) ? job.host().size() : 1;
    const std::string what = "reading " + (options.graph == kStandardInput ? "standard input" : options.graph);
    const auto before_memory = [&](std::size_t bytes) {
        job::require_bytes(available, static_cast<double>(bytes) * sharers, what);
    };
    std::optional<job::Progress> progress(std::in_place, job, "load");
    GraphShare share = run_agreed(world, [&] {
        std::optional<Vertex> first_vertex;
        if (options.zero_based) first_vertex = 0;
        if (options.one_based) first_vertex = 1;
        return read_graph_share(options.graph,
                                {.format = options.format(),
                                 .part = world.rank(),
                                 .parts = world.size(),
                                 .threads = job.threads(),
                                 .double_precision = options.double_precision,
                                 .first_vertex = is_edge_list(options.format()) ? first_vertex : std::nullopt,
                                 .columns = options.columns,
                                 .large_numbers = options.compact,
                                 .names = options.names,
                                 .before_memory = before_memory,
                                 .progress = progress->listener()});
    });
    progress.reset();
    const std::vector<ShareFacts> facts = world.all_gather(share.facts);
    ShareFacts all;
    for (const ShareFacts& one : facts) all = merge(all, one);
    run_agreed(world, [&] {
        check_totals(options.graph, all);
        adopt(share, all);
    });
    if (!is_whole(all.weights))
        all.notes.lost_digits = world.any(all.notes.lost_digits || share.facts.notes.lost_digits);
    LoadedGraph graph;
    graph.format = name_of(all.format);
    graph.first_vertex = all.first_vertex;
    graph.direction_from = !is_edge_list(all.format) ? DirectionFrom::format
                           : all.direction_known     ? DirectionFrom::header
                                                     : DirectionFrom::assumed;
    graph.list = std::move(share.list);
    graph.name = options.graph;
    note_reading(job, options, all);
    if (all.right_vertices > 0)
        job.note(fmt::format("{} is bipartite: its vertices on the right are numbered from {}, after those on the left",
                             options.graph, all.vertex_count - all.right_vertices + 1));
    share.facts.named = all.named;
    number_vertices(job, options, share, graph);
    return graph;
}

/// Applies --directed and --undirected. Throws an AgreedError if the format determines the
/// direction.
void choose_direction(const job::Job& job, const GraphOptions& options, LoadedGraph& graph)
{
    if (!options.directed && !options.undirected) return;
    const bool open = graph.direction_from == DirectionFrom::header || graph.direction_from == DirectionFrom::assumed;
    run_agreed(job.world(), [&] {
        if (options.directed && !graph.list.directed && !open)
            throw InputError(
                fmt::format("--directed: {} is undirected by its {}; the direction can be chosen for edge lists only",
                            options.graph, graph.direction_from == DirectionFrom::spec ? "name" : "format"));
    });
    graph.list.directed = options.directed;
    graph.direction_from = DirectionFrom::option;
}

/// Throws InputError if `path` has no known extension. The message assumes that the file does not
/// exist, because this is the more likely cause.
void require_known_format(const std::string& path)
{
    if (path == kStandardInput || path == "/dev/stdin")
        throw InputError(path + ": standard input has no extension; select a format, such as --format el");
    try {
        static_cast<void>(input_format_of(path));
    } catch (const InputError& error) {
        std::error_code status_error;
        const std::filesystem::file_status status = std::filesystem::status(path, status_error);
        const std::string hint =
            path.find('.') == std::string::npos ? "; for a generated graph write its spec, such as kron:20" : "";
        if (status.type() == std::filesystem::file_type::not_found)
            throw InputError(fmt::format("{}: there is no such file{}", path, hint));
        if (status.type() == std::filesystem::file_type::directory)
            throw InputError(fmt::format("{}: is a folder, not a graph file{}", path, hint));
        throw InputError(error.what() + hint);
    }
}

void add_weights(const job::Job& job, const GraphOptions& options, LoadedGraph& graph)
{
    EdgeList& list = graph.list;
    const EdgeCount first = job.world().exclusive_sum(static_cast<std::int64_t>(list.edges.size()));
    if (list.weighted()) job.note(fmt::format("--weights {} replaces the weights of {}", options.weights, graph.name));
    run_agreed(job.world(), [&] {
        list.weights = {};
        list.weights =
            WeightSpec::parse(options.weights, list.vertex_count).make(options.seeds.seed, first, list.edges.size());
    });
}

}  // namespace

void reverse_edges(LoadedGraph& graph)
{
    graph.reversed = true;
    HostBuffer<PackedEdge>& edges = graph.list.edges;
    parallel_for(edges.size(), kSerialBelow,
                 [&](std::size_t i) { edges[i] = PackedEdge::pack(edges[i].target(), edges[i].source()); });
}

void settle_weights(const job::Job& job, const GraphOptions& options, LoadedGraph& graph)
{
    if (!options.weights.empty()) add_weights(job, options, graph);
    if (options.double_precision && weight_kind(graph.list.weights) == WeightKind::float32)
        run_agreed(job.world(), [&] { static_cast<void>(promote_weights(graph.list, WeightKind::float64)); });
}

void GraphOptions::check(const GraphTarget* target) const
{
    if (directed && undirected) throw InputError("--directed and --undirected do not go together");
    const bool only_weight = columns.source.empty() && columns.target.empty();
    if (columns.any() &&
        (looks_like_spec(graph) || !(is_edge_list(format()) || (only_weight && declares_names(format())))))
        throw InputError(
            "--source-column, --target-column and --weight-column are for edge lists (.txt, .el, .csv, ...)");
    for (const auto& [name, given] : {std::pair("compact", compact), std::pair("names", names)})
        if (given && (looks_like_spec(graph) || !is_edge_list(format())))
            throw InputError(fmt::format("--{}: is for edge lists (.txt, .el, .csv, ...); {} {}", name, graph,
                                         looks_like_spec(graph)     ? "has vertices without gaps"
                                         : declares_names(format()) ? "always has names"
                                                                    : "is of a format that numbers vertices without "
                                                                      "gaps"));
    if (names && compact) throw InputError("--names and --compact do not go together: names have no gaps");
    if (names && (zero_based || one_based))
        throw InputError(fmt::format("--names and --{}-based do not go together", zero_based ? "zero" : "one"));
    if (!vertex_numbers.empty() && !compact && !may_have_names())
        throw InputError("--vertex-numbers: requires --compact");
    if (zero_based && one_based) throw InputError("--zero-based and --one-based do not go together");
    const bool spec = looks_like_spec(graph);
    if (spec && !extension.empty())
        throw InputError(fmt::format("--format: is for files; {} is a generated graph", graph));
    if (!spec && extension.empty()) require_known_format(graph);
    const bool from_edge_list = !spec && is_edge_list(format());
    const bool to_edge_list = target != nullptr && is_edge_list(target->format());
    if ((zero_based || one_based) && !from_edge_list && !to_edge_list)
        throw InputError(
            fmt::format("--{}: is for edge lists (.txt, .el, .csv, ...); the format of {} determines the number of the "
                        "first vertex",
                        zero_based ? "zero-based" : "one-based", target == nullptr ? graph : target->path));
}

bool GraphOptions::may_have_names() const
{
    try {
        return !looks_like_spec(graph) && (is_edge_list(format()) || declares_names(format()));
    } catch (const InputError&) {
        return true;
    }
}

FileFormat GraphOptions::format() const
{
    return extension.empty() ? input_format_of(graph)
                             : format_of_extension("format", std::string(without_compression(extension)), graph);
}

NamedFile GraphOptions::named(const std::string& role) const
{
    if (graph.empty() || looks_like_spec(graph)) return {role, "", {}};
    return {role, graph, format()};
}

Vertex GraphOptions::first_vertex_in(FileFormat format) const
{
    return is_edge_list(format) && one_based ? 1 : first_vertex_of(format);
}

Vertex LoadedGraph::list_number(const std::string& option, std::int64_t number) const
{
    if (compact) {
        const auto found = std::ranges::lower_bound(listed_numbers, number);
        if (found != listed_numbers.end() && *found == number) return found - listed_numbers.begin();
        throw InputError(
            fmt::format("{}: there is no vertex {}: no edge of {} names it, and --compact leaves out such vertices",
                        option, number, name));
    }
    const Vertex v = number - first_vertex;
    if (v >= 0 && v < list.vertex_count) return v;
    if (list.vertex_count == 0)
        throw InputError(fmt::format("{}: there is no vertex {}: {} has no vertices", option, number, name));
    throw InputError(fmt::format("{}: there is no vertex {}: those of {} are {} to {}", option, number, name,
                                 first_vertex, first_vertex + list.vertex_count - 1));
}

Vertex LoadedGraph::list_number(const std::string& option, std::string_view text) const
{
    if (named) {
        if (const auto found = names->find(text)) return static_cast<Vertex>(*found);
        throw InputError(fmt::format("{}: there is no vertex '{}': no edge of {} names it", option, text, name));
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        throw InputError(fmt::format("{}: expected the number of a vertex, found '{}'", option, text));
    return list_number(option, number);
}

namespace {

/// Whether --seed determines the graph, or its weights. Kronecker graphs have seeds of their own.
bool depends_on_seed(const GraphOptions& options)
{
    if (!options.weights.empty() && options.weights != "unit") return true;
    constexpr std::array<std::string_view, 3> random{"random:", "rmat:", "regular:"};
    return options.graph.find("seed=") == std::string::npos &&
           std::ranges::any_of(random, [&](std::string_view kind) { return options.graph.starts_with(kind); });
}

}  // namespace

LoadedGraph load_graph(const job::Job& job, const GraphOptions& options, bool with_weights)
{
    LoadedGraph graph =
        looks_like_spec(options.graph) ? generate_graph(job, options, with_weights) : read_graph_file(job, options);
    graph.name = options.graph;
    if (depends_on_seed(options)) graph.seed = options.seeds.seed;
    graph.weights_spec = options.weights;
    choose_direction(job, options, graph);
    settle_weights(job, options, graph);
    if (options.reverse && graph.list.directed)
        reverse_edges(graph);
    else if (options.reverse)
        job.note(fmt::format("--reverse changes nothing: the edges of {} are undirected", graph.name));
    graph.edges = job.world().all_reduce(static_cast<std::int64_t>(graph.list.edges.size()), comm::Reduction::sum);
    return graph;
}

std::string advice_on_gaps(const job::Job& job, const LoadedGraph& graph)
{
    constexpr double few = 0.125;
    const bool is_edge_list =
        graph.format == name_of(FileFormat::edge_list) || graph.format == name_of(FileFormat::csv);
    if (graph.has_list() || !is_edge_list) return "";
    Vertex largest = -1;
    for (const PackedEdge edge : graph.list.edges) largest = std::max({largest, edge.source(), edge.target()});
    largest = job.world().all_reduce(largest, comm::Reduction::max);
    if (largest < 0) return "";  // the edges are elsewhere
    const EdgeCount most_with_edges = 2 * graph.edges;
    if (static_cast<double>(most_with_edges) > few * static_cast<double>(graph.list.vertex_count)) return "";
    return fmt::format(
        "; its largest vertex is {}, although it has only {}: --compact leaves out the vertices that no edge names",
        graph.input_number(largest), counted(graph.edges, "edge", "edges"));
}

void note_order(const job::Job& job, const GraphOptions& options, const LoadedGraph& graph, const std::string& path)
{
    if (!graph.has_list() || !options.vertex_numbers.empty()) return;
    constexpr std::array without_numbers{".npy", ".raw", ".mtx"};
    if (std::ranges::none_of(without_numbers, [&](const char* end) { return ends_with_any_case(path, end); })) return;
    job.note(fmt::format("the entries of {} are in {} order of the vertices' {}, which --vertex-numbers FILE writes",
                         path, graph.named ? "the" : "ascending", graph.named ? "names" : "numbers"));
}

void require_weights(const job::Job& job, LoadedGraph& graph)
{
    if (graph.list.weighted()) return;
    job.note(fmt::format("{} has no weights: each edge has length 1; --weights SPEC sets other weights", graph.name));
    run_agreed(job.world(), [&] { graph.list.weights = HostBuffer<std::int32_t>(graph.list.edges.size(), 1); });
}

}  // namespace wayfront::session
