// METIS graph files: one line per vertex, with its neighbours.
//
//     % a comment
//     <vertices> <edges> [format [weights per vertex]]
//     [size] [weight...] <neighbour> [edge weight] <neighbour> [edge weight] ...
//
// The format is three digits 0 or 1: whether there are vertex sizes, vertex weights, edge weights.
//
// Vertices count from 1. An empty line is a vertex without neighbours. Each edge is in the lines of
// both its vertices. The reader takes the edge from the line of the smaller vertex, and compares it with that of the
// larger one by a sum of hashes (mirror_hash). Vertex sizes and weights are skipped. Weights are
// whole numbers; some programs write them as 15.0.
//
// A share must know the vertex of its first line, so it counts the lines before it, at the speed of
// memory.
#include <limits>

#include "graph/io/mirror.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

namespace {

struct Header
{
    Vertex vertices = 0;
    EdgeCount edges = 0;
    int numbers_before = 0;  // sizes and weights of the vertex, which precede the neighbours
    bool weighted = false;
};

Header read_header(Line& line)
{
    constexpr std::int64_t kMostConstraints = 1024;
    Header header;
    header.vertices = line.integer(0, kMaxVertices, "the number of vertices");
    header.edges = line.integer(0, std::numeric_limits<EdgeCount>::max(), "the number of edges");
    if (line.at_end()) return header;
    const std::string_view format = line.word();
    if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos)
        throw ParseFailure{format.data(),
                           "a format of up to three digits, each 0 or 1: vertex sizes, vertex weights, edge weights",
                           {}};
    const auto flag = [&](std::size_t from_right) {
        return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
    };
    const auto constraints = line.at_end() ? 1 : line.integer(0, kMostConstraints, "the number of weights per vertex");
    line.expect_end();
    header.weighted = flag(0);
    header.numbers_before = (flag(1) ? static_cast<int>(constraints) : 0) + (flag(2) ? 1 : 0);
    return header;
}

constexpr std::int64_t kLeastWeight = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMostWeight = std::numeric_limits<std::int32_t>::max();

/// Counts the lines of vertices: all lines but comments.
std::size_t count_vertex_lines(TextRange range)
{
    std::size_t lines = count_newlines(range);
    if (range.begin != range.end && range.end[-1] != '\n') ++lines;
    for (const char* p = range.begin; p != range.end; ++p) {
        p = static_cast<const char*>(std::memchr(p, '%', static_cast<std::size_t>(range.end - p)));
        if (p == nullptr) break;
        if (p == range.begin || p[-1] == '\n') --lines;
    }
    return lines;
}

/// The first vertex of each block, and at the end the first vertex after all blocks.
std::vector<std::size_t> number_blocks(std::span<const TextRange> blocks, std::size_t first, int threads)
{
    std::vector<std::size_t> lines(blocks.size());
    for_each_block(blocks.size(), threads, [&](std::size_t b) { lines[b] = count_vertex_lines(blocks[b]); });
    std::vector<std::size_t> numbers = detail::place_blocks(lines);
    for (std::size_t& number : numbers) number += first;
    return numbers;
}

/// Calls visit(vertex, neighbour, weight, where) for all neighbours in the lines of `block`, whose
/// first line is that of `vertex`.
template <bool kWeighted, typename Visit>
void for_each_neighbour(const NamedText& input, const Header& header, TextRange block, Vertex vertex,
                        const Visit& visit)
{
    for (const char* p = block.begin; p != block.end;) {
        Line line(p, input.end());
        p = line.next_line();
        if (*line.line_begin() == '%') continue;
        const bool empty = line.at_end();
        if (vertex >= header.vertices) {
            if (!empty)
                throw ParseFailure{
                    line.where(),
                    "the end of the file after the lines of " + std::to_string(header.vertices) + " vertices",
                    {}};
            continue;
        }
        if (!empty)
            for (int skipped = 0; skipped < header.numbers_before; ++skipped)
                line.integer(
                    0, std::numeric_limits<std::int64_t>::max(),
                    "a vertex's size or weight, as the format in the header says (sizes, weights, edge weights)",
                    Line::WholeForm::decimal);
        while (!line.at_end()) {
            const char* const where = line.where();
            const Vertex neighbour = line.integer(1, header.vertices, "a vertex") - 1;
            std::int32_t weight = 0;
            if constexpr (kWeighted)
                weight = static_cast<std::int32_t>(line.integer(
                    kLeastWeight, kMostWeight, "a weight of METIS, a whole number", Line::WholeForm::decimal));
            visit(vertex, neighbour, weight, where);
        }
        ++vertex;
    }
}

template <typename Weight>
BlockFacts parse_block(const NamedText& input, const Header& header, TextRange block, Vertex first_vertex,
                       Slots<Weight> out)
{
    constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
    BlockFacts facts;
    for_each_neighbour<kWeighted>(input, header, block, first_vertex,
                                  [&](Vertex vertex, Vertex neighbour, std::int32_t weight, const char* /*where*/) {
                                      if (vertex <= neighbour) {
                                          out.edges[facts.edges] = PackedEdge::pack(vertex, neighbour);
                                          if constexpr (kWeighted) out.weights[facts.edges] = weight;
                                          ++facts.edges;
                                      }
                                      if (vertex < neighbour)
                                          facts.mirror_balance += mirror_hash(vertex, neighbour, weight);
                                      if (vertex > neighbour)
                                          facts.mirror_balance -= mirror_hash(neighbour, vertex, weight);
                                  });
    return facts;
}

/// Blocks of lines; each line is a vertex.
struct VertexBlocks
{
    std::vector<TextRange> lines;
    std::vector<std::size_t> first_vertices;  // the first vertex of each block, and one more than the last vertex
};

template <typename Weight>
void parse_share(GraphShare& share, const NamedText& input, const Header& header, const VertexBlocks& blocks,
                 const ReadOptions& options)
{
    // Every number, except perhaps the last, is followed by a byte up to ',' (blank, tab, newline).
    const auto most_edges = [](TextRange range) { return count_bytes(range, [](char c) { return c <= ','; }) + 1; };
    const auto parse = [&](std::size_t b, TextRange range, Slots<Weight> out) {
        return parse_block(input, header, range, static_cast<Vertex>(blocks.first_vertices[b]), out);
    };
    ReadOptions without_mirrors = options;
    if (options.before_memory)
        without_mirrors.before_memory = [&](std::size_t bytes) {
            // Each edge is in two lines and gets one slot. Slots that are not written take no memory. The slots of a
            // block are filled from their start; the huge page that contains the last used slot counts as a whole.
            constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
            options.before_memory(std::min(bytes, static_cast<std::size_t>(header.edges) * kSlotBytes<Weight> +
                                                      blocks.lines.size() * huge_page_bytes));
        };
    parse_blocks<Weight>(share, blocks.lines, without_mirrors, most_edges, parse);
}

}  // namespace

GraphShare read_metis(const NamedText& input, const ReadOptions& options)
{
    Line header_line = next_content_line(input, input.begin(), "%");
    const char* const header_at = header_line.where();
    if (header_line.at_end()) throw ParseFailure{header_at, "the header `<vertices> <edges> [format]`", {}};
    const Header header = read_header(header_line);

    GraphShare share;
    share.facts.first_vertex = 1;
    share.facts.vertex_count_known = true;
    share.facts.vertex_count = header.vertices;
    share.facts.declared_edges = header.edges;
    share.facts.header_line = line_number(input, header_at);
    share.facts.notes.vertex_numbers = header.numbers_before > 0;
    share.facts.weights = header.weighted ? WeightKind::int32 : WeightKind::none;

    const TextRange body{header_line.next_line(), input.end()};
    const TextRange range = share_of_lines(body, options.part, options.parts);
    const std::vector<TextRange> before = cut_into_blocks({body.begin, range.begin}, options.threads);
    VertexBlocks blocks{cut_into_blocks(range, options.threads), {}};
    blocks.first_vertices =
        number_blocks(blocks.lines, number_blocks(before, 0, options.threads).back(), options.threads);
    const auto lines = static_cast<Vertex>(blocks.first_vertices.back());
    if (header.weighted) {
        parse_share<std::int32_t>(share, input, header, blocks, options);
    } else {
        parse_share<NoWeight>(share, input, header, blocks, options);
    }
    if (range.end == body.end && lines < header.vertices)
        throw ParseFailure{input.end(), "a line for each of " + std::to_string(header.vertices) + " vertices",
                           "only " + std::to_string(lines)};
    return share;
}

void throw_if_edge_without_mirror_in_metis(const NamedText& input)
{
    Line header_line = next_content_line(input, input.begin(), "%");
    const Header header = read_header(header_line);
    std::vector<HalfEdge> halves;
    const auto collect = [&](Vertex vertex, Vertex neighbour, std::int32_t weight, const char* where) {
        halves.push_back({vertex, neighbour, weight, static_cast<std::size_t>(where - input.begin())});
    };
    const TextRange body{header_line.next_line(), input.end()};
    if (header.weighted) {
        for_each_neighbour<true>(input, header, body, 0, collect);
    } else {
        for_each_neighbour<false>(input, header, body, 0, collect);
    }
    if (const auto half = first_without_mirror(std::move(halves)))
        throw ParseFailure{input.begin() + half->place,
                           "this edge in the line of vertex " + std::to_string(half->target + 1) + " as well" +
                               (header.weighted ? ", with the same weight" : ""),
                           "it only here, in the line of vertex " + std::to_string(half->source + 1)};
}

}  // namespace wayfront::io
