// Edge lists, as SNAP, GAPBS (.el, .wel), KONECT, NetworkX and spreadsheets write them: one edge
// per line,
//
//     # a comment (or: % a comment)
//     <source> <target> [weight [timestamp]]
//     <source> <target> {'weight': <weight>}          (or: {})
//
// separated by blanks, tabs or a comma; or with a row of column names, or options that name the
// columns, in any order and with one separator (edge_columns.hpp). The lines before the first edge
// (edge_list_header.hpp) may give the direction, the number of vertices and the number of the first vertex; without
// them, edges are directed and vertices are numbered from 0. The first edge of the file decides for all shares whether
// edges have weights and timestamps. Weights are whole numbers unless one of them has a point or an exponent; then all
// of them are floats. A share that saw only whole numbers learns of floats when the facts of the shares are merged.
//
// Vertices may have names instead of numbers. Then a first line of names is that of the columns only
// if it has usual names of columns, or if the next line has a number below one of its names.
//
// If nothing precedes the first line, it may be the numbers of vertices and edges, as in files for
// programming contests, or of rows, columns and entries, as in a Matrix Market file without its
// banner. The first line has these numbers if its last number is the number of the other lines, and these
// lines have no vertex beyond its first number. Only all shares together know this (settle_first_line).
#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "graph/io/edge_columns.hpp"
#include "graph/io/edge_lines.hpp"
#include "graph/io/edge_list_header.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

namespace {

constexpr std::string_view kEdgeWanted = "an edge `source target` or `source target weight`";

WeightKind kind_of(std::string_view weight, const ReadOptions& options)
{
    return weight.empty() ? WeightKind::none : looks_real(weight) ? real_kind(options) : WeightKind::int32;
}

/// Numbers the vertices on the right of a bipartite graph after those on the left.
void join_sides(EdgeList& list, const EdgeListHeader& header, std::string_view name)
{
    for (PackedEdge& edge : list.edges) {
        if (edge.source() >= header.left || edge.target() >= header.right)
            throw InputError(std::string(name) + ": expected vertices up to " + std::to_string(header.left) +
                             " on the left and up to " + std::to_string(header.right) +
                             " on the right, as the header says, found the edge " + std::to_string(edge.source() + 1) +
                             " " + std::to_string(edge.target() + 1));
        edge = PackedEdge::pack(edge.source(), edge.target() + header.left);
    }
}

/// The fields of a line.
std::vector<std::string_view> fields_of(std::string_view line, char separator)
{
    std::vector<std::string_view> fields;
    for_each_field(line, separator, [&](std::size_t, std::string_view text) { fields.push_back(text); });
    return fields;
}

bool is_number(std::string_view text)
{
    return !begins_as_name(text) && (looks_whole(text) || looks_real(text));
}

/// The columns of sources and targets by a row of names, or without one by the user's numbers. If
/// their choice is faulty, the reader says so later.
EdgeColumns columns_of_ends(std::string_view row, std::string_view first, char separator, const ColumnChoice& choice)
{
    ReadNotes unused;
    try {
        if (!row.empty()) return columns_named(row, separator, choice, unused);
        if (choice.any() && !first.empty()) return columns_numbered(first, choice, unused);
    } catch (const ParseFailure&) {
        return {};
    }
    return {};
}

/// Whether a row of names and the next line are those of columns: a number is below a name that is no
/// end of an edge, or below both that are.
bool has_numbers_below(std::span<const std::string_view> names, std::span<const std::string_view> fields,
                       const EdgeColumns& columns)
{
    int ends = 0;
    for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i) {
        if (is_number(names[i]) || names[i].starts_with('{') || !is_number(fields[i])) continue;
        if (i != columns.source && i != columns.target) return true;
        ++ends;
    }
    return ends == 2;
}

/// Whether a line is of NetworkX's form: two numbers or names, and a dictionary.
bool has_attributes(Line line)
{
    for (int end = 0; end < 2; ++end)
        if (line.at_end() || line.word().empty()) return false;
    line.at_end();
    return line.rest().starts_with('{');
}

/// Whether a weight may be a time: in seconds since 1970, from 2001 to 2033.
bool may_be_unix_time(std::string_view weight)
{
    return weight.size() == 10 && weight[0] == '1' && std::ranges::all_of(weight, is_digit);
}

/// Whether a text without names is an adjacency matrix rather than a list: it has as many lines as
/// columns, of which an edge list has three or four, and is symmetric.
bool may_be_matrix(const NamedText& input, const char* body)
{
    constexpr std::ptrdiff_t most_bytes = 400;
    if (input.end() - body > most_bytes) return false;
    std::vector<std::vector<std::string_view>> rows;
    for (Line line = next_content_line(input, body, kEdgeListComments); !Line(line).at_end();
         line = next_content_line(input, line.next_line(), kEdgeListComments)) {
        std::vector<std::string_view>& row = rows.emplace_back();
        while (!line.at_end()) {
            row.push_back(line.word());
            if (row.back().empty()) return false;  // a comma that separates nothing
        }
    }
    if (rows.size() != 3 && rows.size() != 4) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() != rows.size()) return false;
        for (std::size_t j = 0; j < i; ++j)
            if (rows[i][j] != rows[j][i]) return false;
    }
    return true;
}

/// Whether `count` is the number of lines of a text.
bool is_number_of_lines(EdgeCount count, TextRange text)
{
    // Lines are counted only if their length is that of two numbers: most files have another.
    constexpr EdgeCount most_bytes_a_line = 64;
    const auto bytes = static_cast<EdgeCount>(text.bytes());
    if (count < 1 || count > bytes || count < bytes / most_bytes_a_line) return false;
    const bool open_end = text.begin != text.end && text.end[-1] != '\n';
    return static_cast<EdgeCount>(count_newlines(text)) + (open_end ? 1 : 0) == count;
}

/// Reads a share of an edge list.
class EdgeListReader
{
public:
    EdgeListReader(const NamedText& input, const ReadOptions& options)
        : input_(input), options_(options), header_(read_edge_list_header(input))
    {
        if (options.names && header_.bipartite)
            throw InputError(std::string(input.name) + ": --names: bipartite KONECT files have numbers on both sides");
    }

    /// Call once.
    [[nodiscard]] GraphShare read();

private:
    bool take_names();
    const char* take_form();
    void take_columns(Line first);
    std::optional<EdgeColumns> columns_of(std::string_view first);
    void take_named_columns(std::string_view first);
    const char* take_usual_columns(Line first);
    const char* take_first_line(Line first);

    const NamedText& input_;
    const ReadOptions& options_;
    EdgeListHeader header_;
    EdgeLineForm form_;
    GraphShare share_;
    ShareFacts& facts_ = share_.facts;
};

/// Whether the ends of edges are names: because the user says so, or because both ends of the first
/// edge begin with letters. If the row of column names is an edge itself, it becomes the body.
bool EdgeListReader::take_names()
{
    const auto content = [](Line line) {
        line.at_end();
        return line.rest();
    };
    const std::string_view row = header_.names;
    const std::string_view first = content(next_content_line(input_, header_.body, kEdgeListComments));
    const char separator = separator_of(row.empty() ? first : row);
    const std::vector<std::string_view> fields = fields_of(first, separator);
    const std::vector<std::string_view> names = fields_of(row, separator);
    const bool is_header = has_names_of_columns(row, options_.columns) && std::ranges::none_of(names, is_number);
    const EdgeColumns columns = columns_of_ends(is_header ? row : "", first, separator, options_.columns);
    const auto named_ends = [&](const std::vector<std::string_view>& line) {
        int count = 0;
        for (const std::size_t end : {columns.source, columns.target})
            if (end < line.size() && begins_as_name(line[end])) ++count;
        return count;
    };
    const bool row_may_be_edge = !row.empty() && !is_header;
    const bool are_names =
        row_may_be_edge ? named_ends(names) == 2 && (first.empty() || named_ends(fields) > 0) : named_ends(fields) == 2;
    const auto read_row_as_edge = [this, row] {
        header_.body = row.data();
        header_.names = {};
    };
    // A number is no name of a column.
    const bool row_has_number = !has_names_of_columns(row, options_.columns) && std::ranges::any_of(names, is_number);
    if (!options_.names && !are_names) {
        if (row_has_number) read_row_as_edge();  // and the reader says what is wrong with it
        return false;
    }
    if (row_may_be_edge && (row_has_number || !has_numbers_below(names, fields, columns))) read_row_as_edge();
    return true;
}

/// Sets the form by the columns of the first edge.
void EdgeListReader::take_columns(Line first)
{
    if (first.rest().starts_with('<'))
        throw ParseFailure{first.where(),
                           std::string(kEdgeWanted) +
                               " (of XML, GraphML is read; NetworkX writes edge lists: nx.write_edgelist(G, "
                               "'graph.wel', data=['weight']))",
                           {}};
    for (int end = 0; end < 2; ++end) {
        if (!form_.names)
            read_vertex(first, form_);
        else if (first.at_end() || first.word().empty())
            throw ParseFailure{first.where(), std::string(kEdgeWanted), {}};
    }
    first.at_end();
    if (first.rest().starts_with('{')) {
        form_.attributes = true;
        form_.skips_attributes = options_.columns.weight == "none";
        if (form_.skips_attributes) return;
        const std::optional<std::string_view> weight = weight_attribute(first.rest());
        if (!weight)
            throw ParseFailure{first.where(),
                               "`{}` or `{'weight': NUMBER}` (NetworkX writes the weights alone with "
                               "nx.write_edgelist(G, path, data=['weight']))",
                               {}};
        form_.weights = kind_of(*weight, options_);
        return;
    }
    form_.weights = kind_of(first.word(), options_);
    form_.timestamps = !first.word().empty();
    form_.separator = separator_of(Line(first.line_begin(), first.next_line()).rest()) == ',' ? ',' : ' ';
}

/// The columns of the lines, if names or options determine them; none if the lines are of the
/// usual form, `source target weight timestamp` with blanks, tabs or commas.
std::optional<EdgeColumns> EdgeListReader::columns_of(std::string_view first)
{
    const bool named = facts_.named;
    ReadNotes& notes = facts_.notes;
    if (!header_.names.empty()) {
        const EdgeColumns columns = columns_named(header_.names, separator_of(header_.names), options_.columns, notes);
        // The usual form is read fastest.
        return columns.in_order() && columns.separator == ',' && !named ? std::nullopt : std::optional(columns);
    }
    const char separator = separator_of(first);
    if (separator == ';' || named) return columns_numbered(first, options_.columns, notes);
    const std::size_t fields = for_each_field(first, separator, [](std::size_t, std::string_view) {});
    if (!header_.last_comment.empty() && fields > 2 && comment_names_columns(header_.last_comment, fields)) {
        const std::string_view names = header_.last_comment.substr(1);
        EdgeColumns columns = columns_named(names, separator_of(names), options_.columns, notes);
        columns.separator = separator;
        return columns;
    }
    return options_.columns.any() ? std::optional(columns_numbered(first, options_.columns, notes)) : std::nullopt;
}

void EdgeListReader::take_named_columns(std::string_view first)
{
    for_each_field(first, form_.columns->separator, [&](std::size_t i, std::string_view text) {
        if (i == form_.columns->weight) form_.weights = kind_of(text.empty() ? "0" : text, options_);
    });
}

/// If the first line may be the numbers of vertices and edges, sets the facts. Returns the line behind
/// the first line if that is no edge of this share.
const char* EdgeListReader::take_first_line(Line first)
{
    constexpr EdgeCount least_edges = 3;  // fewer lines agree by chance
    const char* const behind = first.next_line();
    const char* const begin = first.line_begin();
    const Vertex source = first.integer(facts_.first_vertex, std::numeric_limits<Vertex>::max(), "a vertex");
    const Vertex target = first.integer(facts_.first_vertex, std::numeric_limits<Vertex>::max(), "a vertex");
    const std::string_view weight = first.word();
    EdgeCount edges = target;
    // A matrix of a graph has as many rows as columns.
    if (!weight.empty() && (source != target || !looks_whole(weight) ||
                            std::from_chars(weight.begin(), weight.end(), edges).ec != std::errc{}))
        return begin;
    if (!first.at_end() || source < 1 || source - facts_.first_vertex >= form_.vertex_count ||
        !is_number_of_lines(edges, {behind, input_.end()}))
        return begin;
    Line next = next_content_line(input_, behind, kEdgeListComments);
    const std::string_view ends[2] = {next.word(), next.word()};
    const std::string_view third = next.word();
    FirstLine& line = facts_.first_line;
    line = {.present = true,
            .has_weight = !weight.empty(),
            .no_edge = !ends[0].empty() && weight.empty() != third.empty() && !third.starts_with('{'),
            .source = source - facts_.first_vertex,
            .target = target - facts_.first_vertex,
            .edges = edges};
    line.read_as_edge = !line.no_edge && (line.has_weight || edges < least_edges);
    for (const std::string_view end : ends)
        line.joins_next =
            line.joins_next || (!line.no_edge && (end == std::to_string(source) || end == std::to_string(target)));
    return line.read_as_edge ? begin : behind;
}

/// Sets the form by the first line of a file whose columns have no names. Returns the first line of
/// an edge.
const char* EdgeListReader::take_usual_columns(Line first)
{
    take_columns(first);
    facts_.notes.timestamps = form_.timestamps;
    if (!header_.names.empty() || !header_.last_comment.empty() || form_.attributes) return first.line_begin();
    const char* const body = take_first_line(first);
    if (facts_.first_line.is_apart() && !facts_.first_line.no_edge) return body;
    if (facts_.first_line.no_edge) {
        first = next_content_line(input_, body, kEdgeListComments);
        take_columns(first);
        facts_.notes.timestamps = form_.timestamps;
    }
    Line ahead = first;
    ahead.word();
    ahead.word();
    facts_.notes.times_as_weights = !form_.timestamps && may_be_unix_time(ahead.word());
    facts_.notes.matrix = may_be_matrix(input_, first.line_begin());
    return first.line_begin();
}

/// Sets the form by the first line of an edge, which this function returns; or by the row of names.
const char* EdgeListReader::take_form()
{
    const Line first = next_content_line(input_, header_.body, kEdgeListComments);
    Line row = first;
    if (row.at_end()) {
        if (header_.names.empty() && header_.last_comment.empty())
            throw ParseFailure{first.where(), std::string(kEdgeWanted), {}};
        return first.line_begin();
    }
    const ColumnChoice& choice = options_.columns;
    const bool reads_no_weights = choice.weight == "none" && choice.source.empty() && choice.target.empty();
    const bool has_dictionaries = has_attributes(first) && (reads_no_weights || (facts_.named && !choice.any()));
    if (!has_dictionaries) form_.columns = columns_of(row.rest());
    if (!form_.columns && !facts_.named) return take_usual_columns(first);
    if (form_.columns)
        take_named_columns(row.rest());
    else
        take_columns(first);
    return first.line_begin();
}

GraphShare EdgeListReader::read()
{
    const bool has_row = !header_.names.empty();
    facts_.named = !header_.bipartite && take_names();
    facts_.notes.row_of_columns =
        !header_.names.empty() &&
        (facts_.named || !(options_.columns.any() || has_names_of_columns(header_.names, options_.columns)));
    facts_.notes.row_is_edge = facts_.named && has_row && header_.names.empty();
    share_.list.directed = header_.directed.value_or(true);
    facts_.direction_known = header_.directed.has_value();
    if (!facts_.named)
        facts_.first_vertex = header_.bipartite ? 1 : options_.first_vertex.value_or(header_.first_vertex.value_or(0));
    facts_.right_vertices = header_.bipartite ? header_.right : 0;

    form_.comments = kEdgeListComments;
    form_.first_vertex = facts_.first_vertex;
    if (header_.konect) form_.vertex_name = "a vertex (KONECT numbers them from 1; --zero-based allows 0)";
    form_.mixed_weights = true;
    form_.names = facts_.named;
    form_.large_numbers = options_.large_numbers && !header_.bipartite && !form_.names;
    if (form_.large_numbers) form_.vertex_count = kLeastLarge;
    form_.may_allow_others = !header_.bipartite;
    if (header_.edge_count) {
        facts_.declared_edges = *header_.edge_count;
        facts_.declared_at_least = header_.konect;
        facts_.header_line = line_number(input_, header_.counts_at);
    }
    const char* const body = take_form();
    const TextRange range = share_of_lines({body, input_.end()}, options_.part, options_.parts);
    try {
        read_edge_lines(share_, input_, range, form_, options_);
    } catch (const RealWeightFound&) {
        form_.weights = real_kind(options_);
        read_edge_lines(share_, input_, range, form_, options_);
    }
    if (header_.bipartite) join_sides(share_.list, header_, input_.name);
    facts_.vertex_count = facts_.named        ? 0
                          : header_.bipartite ? header_.left + header_.right
                                              : std::max(facts_.vertex_count, header_.vertex_count.value_or(0));
    return std::move(share_);
}

}  // namespace

GraphShare read_edge_list(const NamedText& input, const ReadOptions& options)
{
    return EdgeListReader(input, options).read();
}

}  // namespace wayfront::io
