// Parses lines with one edge each of any form, and names every fault; for EdgeLineParser
// (edge_line_parser.hpp), which leaves to it the lines that its fast steps cannot parse.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "graph/io/edge_lines.hpp"
#include "graph/io/text_blocks.hpp"
#include "graph/io/tokens.hpp"
#include "graph/large_numbers.hpp"
#include "graph/vertex_names.hpp"

namespace wayfront::io {

/// Thrown if weights are read as int32 and one of them is a whole number that does not fit.
struct LongWeightFound
{
};

/// The large numbers and the names of the vertices of a block, which are kept beside its edges.
struct BlockVertices
{
    std::vector<Vertex> large;
    NameTable names;
    std::size_t lines = 0;  // parsed by CarefulEdgeLines, which parses all lines that have names
};

/// The lists that the passes over a block fill besides its edges.
struct BlockLists
{
    std::size_t block;  // its number
    BlockVertices* vertices;
    ReadNotes* notes;
};

/// The state of a pass over a range of lines.
template <typename Weight>
struct EdgeCursor
{
    const char* p;         // the next line
    const char* fast_end;  // a fast step may start before this byte
    const char* end;
    PackedEdge* edge;  // the next free slots
    Weight* weight;
    Vertex largest = -1;  // the largest vertex that fast_edge and CarefulEdgeLines parsed
    BlockLists lists;

    /// Adds an edge, whose weight has been written.
    void put(Vertex source, Vertex target)
    {
        *edge++ = PackedEdge::pack(source, target);
        if constexpr (!std::is_same_v<Weight, NoWeight>) ++weight;
        largest = std::max({largest, source, target});
    }
};

/// Notes whether a weight loses digits.
template <typename Weight>
void note_digits(std::string_view weight, ReadNotes& notes)
{
    if constexpr (std::is_floating_point_v<Weight>) {
        if (may_lose_digits<Weight>(weight)) [[unlikely]]
            notes.lost_digits = notes.lost_digits || loses_digits<Weight>(weight);
    }
}

/// The lines of one text, whose edges have one type of weight.
template <typename Weight>
class CarefulEdgeLines
{
public:
    using Cursor = EdgeCursor<Weight>;

    /// `names` says how edges store names, if the form has any. It outlives the object, and so does `input`.
    CarefulEdgeLines(const NamedText& input, const EdgeLineForm& form, const BlockNames& names)
        : input_(input), form_(form), names_(names)
    {
    }

    /// Parses a line of any form. Comments and empty lines add no edge.
    void take_line(Cursor& cursor) const
    {
        Line line(cursor.p, input_.end());
        cursor.p = line.next_line();
        ++cursor.lists.vertices->lines;
        if (line.at_end()) return;
        const char first = *line.where();
        if (form_.comments.find(first) != std::string_view::npos) return;
        if (form_.header_marker != 0 && first == form_.header_marker)
            throw ParseFailure{line.where(), "an edge", "a second header"};
        if (form_.node_marker != 0 && first == form_.node_marker) {
            cursor.lists.notes->node_lines = true;
            return;
        }
        if (form_.marker != 0) {
            const char* const where = line.where();
            if (line.word() != std::string_view(&form_.marker, 1))
                throw ParseFailure{
                    where,
                    std::string("a line `") + form_.marker + " <from> <to>" + (kWeighted ? " <weight>`" : "`"),
                    {}};
        }
        if (form_.optional_marker != 0 && first == form_.optional_marker) {
            Line ahead = line;
            if (ahead.word().size() == 1) line = ahead;
        }
        if (form_.columns) return edge_in_columns(cursor, line.rest());
        if (form_.separator != 0 && !form_.attributes) check_separators(line.rest());
        const Vertex source = vertex_in(line, cursor);
        const Vertex target = vertex_in(line, cursor);
        if (form_.attributes) {
            take_attributes(cursor, line);
        } else {
            if constexpr (kWeighted) *cursor.weight = weight_in(line, *cursor.lists.notes);
            if (form_.timestamps && !line.at_end()) line.skip_number("a timestamp");
            line.expect_end();
        }
        cursor.put(source, target);
    }

private:
    static constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;

    /// Throws if a line has other separators than the first edge of the file.
    void check_separators(std::string_view line) const
    {
        if (form_.separator == ' ') {
            const std::size_t comma = line.find(',');
            if (comma != std::string_view::npos)
                throw ParseFailure{line.data() + comma, "numbers with blanks between them, as in the first edge",
                                   "','"};
            return;
        }
        for_each_field(line, ',', [](std::size_t, std::string_view field) {
            if (field.find_first_of(" \t") != std::string_view::npos)
                throw ParseFailure{field.data(), "numbers with commas between them, as in the first edge",
                                   "'" + std::string(field) + "'"};
        });
    }

    /// Parses a line whose columns are named or numbered.
    void edge_in_columns(Cursor& cursor, std::string_view text) const
    {
        const EdgeColumns& columns = *form_.columns;
        std::array<std::string_view, 3> wanted;
        const std::size_t count = for_each_field(text, columns.separator, [&](std::size_t i, std::string_view field) {
            if (i == columns.source) wanted[0] = field;
            if (i == columns.target) wanted[1] = field;
            if (i == columns.weight) wanted[2] = field;
        });
        if (count != columns.count)
            throw ParseFailure{text.data(), std::to_string(columns.count) + " columns, as in the first line",
                               std::to_string(count)};
        const auto number_in = [&](std::string_view field, const auto& read) {
            if (columns.separator != ',' && field.find(',') != std::string_view::npos)
                throw ParseFailure{field.data(), "a number with a decimal point, not a comma",
                                   "'" + std::string(field) + "'"};
            Line number(field.data(), field.data() + field.size());
            const auto value = read(number);
            number.expect_end();
            return value;
        };
        const auto vertex_of = [&](std::string_view field) {
            if (form_.names) return name_in(field, cursor);
            return number_in(field, [&](Line& number) { return vertex_in(number, cursor); });
        };
        const Vertex source = vertex_of(wanted[0]);
        const Vertex target = vertex_of(wanted[1]);
        if constexpr (kWeighted)
            *cursor.weight = number_in(wanted[2], [&](Line& number) { return weight_in(number, *cursor.lists.notes); });
        cursor.put(source, target);
    }

    /// Parses `{}`, or `{'weight': 7}` if edges have weights, at the end of the line; or skips what it is.
    void take_attributes(Cursor& cursor, Line& line) const
    {
        line.at_end();
        if (form_.skips_attributes && line.rest().starts_with('{')) return;
        const std::optional<std::string_view> value = weight_attribute(line.rest());
        if (!value || value->empty() == kWeighted)
            throw ParseFailure{
                line.where(),
                kWeighted ? "`{'weight': NUMBER}` as after the first edge" : "`{}` as after the first edge",
                {}};
        if constexpr (kWeighted) {
            Line number(value->data(), value->data() + value->size());
            *cursor.weight = weight_in(number, *cursor.lists.notes);
            number.expect_end();
        }
    }

    Weight weight_in(Line& line, ReadNotes& notes) const
    {
        Line ahead = line;
        const std::string_view text = ahead.word();
        const bool may_be_real = form_.mixed_weights && looks_real(text);
        if (form_.mixed_weights && !may_be_real && !looks_whole(text))
            throw ParseFailure{
                text.data(),
                text.empty() || form_.attributes ? "a weight" : "a weight (--weight-column none reads none)",
                {}};
        note_digits<Weight>(text, notes);
        if constexpr (std::is_floating_point_v<Weight>) {
            // In a file with mixed weights, every whole number must fit 64 bits as if all weights
            // were whole: this share does not know whether the weights of other shares are.
            if (!form_.mixed_weights || may_be_real) return line.template real_weight<Weight>();
            return static_cast<Weight>(line.long_weight());
        } else {
            if (may_be_real) throw RealWeightFound{};
            const std::int64_t weight = line.long_weight();
            if (!std::in_range<Weight>(weight)) throw LongWeightFound{};
            return static_cast<Weight>(weight);
        }
    }

    /// The name in a field. In a field in double quotes, a pair of double quotes means one double quote.
    Vertex name_in(std::string_view field, const Cursor& cursor) const
    {
        if (field.empty()) throw ParseFailure{field.data(), "the name of a vertex", "an empty field"};
        constexpr std::string_view two_quotes = "\"\"";
        BlockVertices& vertices = *cursor.lists.vertices;
        const auto stored = [&](std::string_view name) {
            return names_.stored(cursor.lists.block, vertices.names.place_of(name, vertices.lines));
        };
        const bool quoted = field.data() != input_.begin() && *std::prev(field.data()) == '"';
        if (!quoted || field.find(two_quotes) == std::string_view::npos) [[likely]]
            return stored(field);
        std::string name(field);
        for (std::size_t at = 0; (at = name.find(two_quotes, at)) != std::string::npos; ++at) name.erase(at, 1);
        return stored(name);
    }

    Vertex vertex_in(Line& line, const Cursor& cursor) const
    {
        if (form_.names) {
            line.at_end();
            const char* const where = line.where();
            const std::string_view name = line.word();
            if (name.empty()) throw ParseFailure{where, "the name of a vertex", {}};
            return name_in(name, cursor);
        }
        const Vertex v = read_vertex(line, form_) - form_.first_vertex;
        return form_.large_numbers ? LargeNumbers::stored(v, cursor.lists.block, cursor.lists.vertices->large) : v;
    }

    const NamedText& input_;
    EdgeLineForm form_;
    const BlockNames& names_;
};

}  // namespace wayfront::io
