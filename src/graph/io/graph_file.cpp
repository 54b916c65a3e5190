#include "graph/io/graph_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <type_traits>

#include <sys/stat.h>

#include "base/error.hpp"
#include "graph/io/contents.hpp"
#include "graph/io/input_file.hpp"
#include "graph/io/mirror.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/tokens.hpp"

namespace wayfront {

namespace {

/// Sets the facts that are the same in the shares of all readers.
void complete(GraphShare& share, FileFormat format, int part)
{
    share.facts.known = true;
    share.facts.part = part;
    share.facts.format = format;
    share.facts.directed = share.list.directed;
    share.list.vertex_count = share.facts.vertex_count;
}

GraphShare empty_share(FileFormat format)
{
    GraphShare share;
    share.facts.format = format;
    return share;
}

void require_bytes(std::string_view bytes, const std::string& path)
{
    if (bytes.empty()) throw InputError(path + ": the file is empty");
}

/// A count of edges as the header of the file counts them, for example "733846 arcs".
std::string count_of(EdgeCount count, const ShareFacts& facts)
{
    const bool arcs = facts.format == FileFormat::dimacs && facts.directed;
    const std::string one = facts.format == FileFormat::matrix_market ? " entr" : arcs ? " arc" : " edge";
    const std::string ending =
        facts.format == FileFormat::matrix_market ? (count == 1 ? "y" : "ies") : (count == 1 ? "" : "s");
    return std::to_string(count) + one + ending;
}

/// The compression of a text, which may have a name that does not say it. All readers of such a
/// file unpack it whole.
Compression compression_in(const InputFile& file, const std::string& path)
{
    const Compression named = compression_of(path);
    return named == Compression::none ? io::compression_of_contents(file.bytes()) : named;
}

/// Throws an error with the place of an edge that is in one list only, if the place can be found at
/// little cost. Every process of a job may call this function.
void throw_if_edge_without_mirror(const std::string& path, FileFormat format)
{
    constexpr std::size_t kMostBytes = std::size_t{1} << 28;
    std::error_code error;
    if (path == kStandardInput) return;
    if (const auto bytes = std::filesystem::file_size(path, error); error || bytes > kMostBytes) return;
    const InputFile file(path);
    if (format != FileFormat::metis)
        return io::throw_if_edge_without_mirror_in_gapbs(file.bytes(), path, format == FileFormat::gapbs_wsg);
    HostBuffer<char> unpacked;
    const Compression compression = compression_in(file, path);
    if (compression != Compression::none) unpacked = decompress(file.bytes(), compression, path);
    const io::NamedText input{unpacked.empty() ? file.bytes() : std::string_view(unpacked.data(), unpacked.size()),
                              path};
    try {
        io::throw_if_edge_without_mirror_in_metis(input);
    } catch (const io::ParseFailure& failure) {
        io::report(input, failure);
    }
}

/// The options for a further step of reading, during which `bytes` that were read stay in memory.
/// `options` outlives the result.
ReadOptions after_reading(const ReadOptions& options, std::size_t bytes)
{
    ReadOptions further = options;
    if (options.before_memory)
        further.before_memory = [&options, bytes](std::size_t more) { options.before_memory(bytes + more); };
    return further;
}

/// A copy of a text whose lines end in carriage returns alone, with newlines; empty for any other
/// text.
HostBuffer<char> with_newlines(std::string_view text, const ReadOptions& options)
{
    if (text.find('\n') != std::string_view::npos || text.find('\r') == std::string_view::npos) return {};
    if (options.before_memory) options.before_memory(text.size());
    HostBuffer<char> lines(text.size());
    std::ranges::replace_copy(text, lines.begin(), '\r', '\n');
    return lines;
}

GraphShare parse_file(const InputFile& file, const std::string& path, FileFormat format, const ReadOptions& options)
{
    if (is_text(format)) {
        const Compression compression = compression_in(file, path);
        if (compression == Compression::none) return parse_text(format, file.bytes(), path, options);
        const HostBuffer<char> text =
            decompress(file.bytes(), compression, path, options.before_memory, options.progress);
        return parse_text(format, {text.data(), text.size()}, path, after_reading(options, text.size()));
    }
    require_bytes(file.bytes(), path);
    GraphShare share = format == FileFormat::tuples
                           ? io::read_tuples(file.bytes(), path, options)
                           : io::read_gapbs(file.bytes(), path, format == FileFormat::gapbs_wsg, options);
    complete(share, format, options.part);
    return share;
}

/// Appends an edge to a list without weights.
void append_edge(EdgeList& list, Vertex source, Vertex target)
{
    HostBuffer<PackedEdge> edges(list.edges.size() + 1);
    std::ranges::copy(list.edges, edges.begin());
    edges[list.edges.size()] = PackedEdge::pack(source, target);
    list.edges = std::move(edges);
}

/// Decides whether the first line of an edge list is an edge, or the numbers of vertices and edges.
void settle_first_line(const std::string& path, ShareFacts& all)
{
    const FirstLine& first = all.first_line;
    if (!first.present) return;
    const Vertex vertices = first.source + all.first_vertex;
    // Contests count vertices from 1, also if nothing says so.
    const bool agrees = all.vertex_count <= vertices + (all.first_vertex == 0 ? 1 : 0);
    if (first.read_as_edge) {
        all.notes.may_be_counts = agrees;
        return;
    }
    if (agrees && first.joins_next)
        throw InputError(path +
                         ":1: the line is an edge, or it has the numbers of vertices and edges, which the other lines "
                         "agree with; write '# Nodes: " +
                         std::to_string(vertices) + " Edges: " + std::to_string(first.edges) +
                         "' in its place, or any comment before the edge");
    if (!agrees && first.no_edge)
        throw InputError(path + ":1: expected an edge " + (first.has_weight ? "without" : "with") +
                         " a weight, as the other lines have it, or the numbers of vertices and edges, found '" +
                         std::to_string(vertices) + "' and '" + std::to_string(first.edges) +
                         "', fewer vertices than the other lines have");
    all.notes.counts_line = agrees;
    all.vertex_count = std::max(all.vertex_count, agrees ? vertices : std::max(first.source, first.target) + 1);
    if (!agrees) ++all.seen_edges;
}

/// Whether a weight keeps all its digits if it is converted to To. Pre: To has at least the digits of From, unless From
/// is an integer and To a floating-point type.
template <typename To, typename From>
bool keeps_digits(From weight)
{
    if constexpr (std::is_floating_point_v<To> && std::is_integral_v<From>) {
        constexpr From exact =
            From{1} << std::min(std::numeric_limits<To>::digits, std::numeric_limits<From>::digits - 1);
        return (weight >= -exact && weight <= exact) || !io::loses_digits<To>(std::to_string(weight));
    }
    return true;
}

}  // namespace

WeightKind weight_kind(const Weights& weights)
{
    return static_cast<WeightKind>(weights.index());
}

std::string_view name_of(WeightKind kind)
{
    constexpr std::array<std::string_view, 5> names{"none", "int32", "int64", "float32", "float64"};
    return names[static_cast<std::size_t>(kind)];
}

std::size_t bytes_of(WeightKind kind)
{
    constexpr std::array<std::size_t, 5> bytes{0, 4, 8, 4, 8};
    return bytes[static_cast<std::size_t>(kind)];
}

Weights weight_buffer(WeightKind kind, std::size_t count)
{
    switch (kind) {
        case WeightKind::int32:
            return HostBuffer<std::int32_t>(count);
        case WeightKind::int64:
            return HostBuffer<std::int64_t>(count);
        case WeightKind::float32:
            return HostBuffer<float>(count);
        case WeightKind::float64:
            return HostBuffer<double>(count);
        case WeightKind::none:
            break;
    }
    return {};
}

GraphShare parse_text(FileFormat format, std::string_view text, std::string_view name, const ReadOptions& options)
{
    require_bytes(text, std::string(name));
    if (const std::string what = io::foreign_contents(text); !what.empty())
        throw InputError(std::string(name) + ": expected a text (" + name_of(format) + "), found " + what);
    text = io::without_byte_order_mark(text);
    if (const auto found = io::format_of_contents(text);
        found && *found != format && is_edge_list(format) && !is_edge_list(*found))
        throw InputError(std::string(name) + ": expected an edge list, found the header of " + name_of(*found) +
                         "; read it with --format " +
                         (*found == FileFormat::dimacs    ? "gr"
                          : *found == FileFormat::graphml ? "graphml"
                                                          : "mtx"));
    const HostBuffer<char> lines = with_newlines(text, options);
    const io::NamedText input{lines.empty() ? text : std::string_view(lines.data(), lines.size()), name};
    try {
        GraphShare share = [&] {
            switch (format) {
                case FileFormat::dimacs:
                    return io::read_dimacs(input, options);
                case FileFormat::matrix_market:
                    return io::read_matrix_market(input, options);
                case FileFormat::metis:
                    return io::read_metis(input, options);
                case FileFormat::graphml:
                    return io::read_graphml(input, options);
                case FileFormat::gml:
                    return io::read_gml(input, options);
                default:
                    return io::read_edge_list(input, options);
            }
        }();
        complete(share, format, options.part);
        return share;
    } catch (const io::ParseFailure& failure) {
        io::report(input, failure);
    }
}

bool can_be_shared(const std::string& path)
{
    if (path == kStandardInput) return false;
    struct stat status
    {
    };
    // Opening the file will fail with the cause.
    if (::stat(path.c_str(), &status) != 0) return true;
    return S_ISREG(status.st_mode) && compression_of(path) == Compression::none;
}

FileFormat input_format_of(const std::string& path)
{
    struct stat status
    {
    };
    const bool is_file =
        path != kStandardInput && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    if (!is_file || has_known_extension(path) || compression_of(path) != Compression::none) return format_of(path);
    std::string begin(io::kLookedAtBytes, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (const std::optional<FileFormat> format = io::format_of_contents(begin)) return *format;
    std::string what = io::foreign_contents(begin);
    if (what.empty() && io::compression_of_contents(begin) != Compression::none)
        what = "compressed data; --format EXT reads it, for example --format el";
    if (!what.empty()) throw InputError(path + ": expected a graph, found " + what);
    try {
        return format_of(path);
    } catch (const InputError& error) {
        throw InputError(std::string(error.what()) + "; --format EXT reads a file as if its extension were EXT");
    }
}

GraphShare read_graph_share(const std::string& path, const ReadOptions& options)
{
    const FileFormat format = options.format ? *options.format : input_format_of(path);
    const bool cut = can_be_shared(path) && !declares_names(format);
    if (!cut && options.part != 0) return empty_share(format);
    const InputFile file(path, options.before_memory);
    ReadOptions share_options = after_reading(options, file.buffer_bytes());
    if (!cut) {
        share_options.part = 0;
        share_options.parts = 1;
    }
    try {
        GraphShare share = parse_file(file, path, format, share_options);
        file.require_whole();
        return share;
    } catch (...) {
        file.require_whole();  // a truncated file is the cause of any other error
        throw;
    }
}

ShareFacts merge(const ShareFacts& a, const ShareFacts& b)
{
    if (!a.known) return b;
    if (!b.known) return a;
    ShareFacts both = a;
    both.weights = std::max(a.weights, b.weights);
    both.vertex_count = std::max(a.vertex_count, b.vertex_count);
    both.seen_edges += b.seen_edges;
    both.mirror_balance += b.mirror_balance;
    both.notes |= b.notes;
    return both;
}

void check_totals(const std::string& path, ShareFacts& all)
{
    settle_first_line(path, all);
    const std::string line = all.header_line > 0 ? ':' + std::to_string(all.header_line) : "";
    const bool too_many = all.seen_edges > all.declared_edges && !all.declared_at_least;
    if (all.declared_edges >= 0 && (all.seen_edges < all.declared_edges || too_many))
        throw InputError(path + line + ": expected " + count_of(all.declared_edges, all) +
                         ", as the header says, found " + std::to_string(all.seen_edges) +
                         (all.notes.vertex_numbers ? " behind the sizes (FORMAT 1xx) and weights (FORMAT x1x) of "
                                                     "vertices with which each line begins, as the header says"
                                                   : ""));
    if (all.mirror_balance == 0) return;
    throw_if_edge_without_mirror(path, all.format);
    throw InputError(path +
                     ": expected every edge in the lists of both its vertices, with the same weight, found an edge in "
                     "one list only, or with two weights");
}

bool promote_weights(EdgeList& list, WeightKind kind)
{
    const WeightKind own = weight_kind(list.weights);
    if (own >= kind) return true;
    if (own == WeightKind::none && !list.edges.empty())
        throw InputError("some edges of the graph have weights, and others have none");
    Weights promoted = weight_buffer(kind, list.edges.size());
    bool kept = true;
    visit_weights(promoted, [&]<typename To>(HostBuffer<To>& to) {
        visit_weights(list.weights, [&](const auto& from) {
            std::ranges::transform(from, to.begin(), [&](auto weight) {
                kept = kept && keeps_digits<To>(weight);
                return static_cast<To>(weight);
            });
        });
    });
    list.weights = std::move(promoted);
    return kept;
}

void adopt(GraphShare& share, const ShareFacts& all)
{
    share.list.vertex_count = all.vertex_count;
    share.list.directed = all.directed;
    if (all.first_line.is_apart() && share.facts.part == 0 && !all.notes.counts_line)
        append_edge(share.list, all.first_line.source, all.first_line.target);
    if (!promote_weights(share.list, all.weights)) share.facts.notes.lost_digits = true;
}

GraphShare read_graph(const std::string& path, std::optional<FileFormat> format, int threads)
{
    GraphShare share = read_graph_share(path, {.format = format, .threads = threads});
    ShareFacts all = share.facts;
    check_totals(path, all);
    adopt(share, all);
    return share;
}

}  // namespace wayfront
