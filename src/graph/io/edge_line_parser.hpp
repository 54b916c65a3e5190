// Parses blocks of lines with one edge each, for read_edge_lines() (edge_lines.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/io/edge_lines.hpp"
#include "graph/io/fast_pair.hpp"
#include "graph/io/text_blocks.hpp"
#include "graph/io/tokens.hpp"
#include "graph/large_numbers.hpp"
#include "graph/vertex_names.hpp"

namespace wayfront::io {

/// A fast step may start only if this many bytes of the text follow. It reads a marker, two numbers
/// of up to 17 bytes, a float, a sign, separators and the end of the line, and never more than
/// these bytes.
inline constexpr std::ptrdiff_t kFastLineBytes = 128;

/// The least number of bytes of a line with an edge: "0 1" and a newline, which may be missing in
/// the last line.
inline constexpr std::size_t kLeastEdgeBytes = 4;

/// Thrown if weights are read as int32 and one of them is a whole number that does not fit.
struct LongWeightFound
{
};

/// The number of edges in lines, at most.
inline std::size_t most_edges(TextRange range)
{
    const bool open_end = range.begin != range.end && range.end[-1] != '\n';
    return std::min(count_newlines(range) + (open_end ? 1 : 0), (range.bytes() + 1) / kLeastEdgeBytes);
}

/// What a block has besides its edges: its large numbers, and its names.
struct BlockVertices
{
    std::vector<Vertex> large;
    NameTable names;
    std::size_t lines = 0;  // parsed by careful_edge, which parses all lines that have names
};

/// Parses blocks with one type of weight. There are three functions that parse a line; each leaves
/// the lines that it cannot parse to the next one:
///   plain_edge     vertices of up to eight digits, and the same separators and line ends in all
///                  lines; ranges are checked at the end of the block
///   fast_edge      vertices of up to 16 digits, any separator
///   careful_edge   every line; names every fault
/// The end of a line is known only after its numbers have been parsed, so a single pass over a
/// block spends most of its time waiting for its own results. Two passes over the two halves of a
/// block therefore take turns: one works while the other waits.
template <typename Weight>
class EdgeLineParser
{
public:
    /// `names` says how edges store names, if the form has any. It outlives the parser.
    EdgeLineParser(const NamedText& input, const EdgeLineForm& form, const BlockNames& names)
        : input_(input), form_(form), names_(names)
    {
    }

    /// Adds the large numbers and the names of block `number` to `vertices`.
    BlockFacts parse(std::size_t number, TextRange block, Slots<Weight> out, BlockVertices& vertices) const
    {
        const TextRange front = share_of_lines(block, 0, 2);
        const std::size_t front_most = most_edges(front);
        BlockFacts facts;
        BlockLists lists{number, &vertices, &facts.notes};
        Cursor one = start(front, out, lists);
        Cursor two = start({front.end, block.end},
                           {out.edges + front_most, kWeighted ? out.weights + front_most : nullptr}, lists);
        Vertex largest = -1;
        try {
            largest = run_plain(one, two);
            run(one);
            run(two);
        } catch (...) {
            find_first_fault(block, out);
        }
        if (largest == kOutOfRange) find_first_fault(block, out);

        const auto in_front = static_cast<std::size_t>(one.edge - out.edges);
        const auto behind = static_cast<std::size_t>(two.edge - (out.edges + front_most));
        if (in_front != front_most) {
            std::memmove(out.edges + in_front, out.edges + front_most, behind * sizeof(PackedEdge));
            if constexpr (kWeighted)
                std::memmove(out.weights + in_front, out.weights + front_most, behind * sizeof(Weight));
        }
        facts.edges = in_front + behind;
        facts.largest = std::max({largest, one.largest, two.largest});
        return facts;
    }

private:
    static constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
    static constexpr Vertex kOutOfRange = -2;

    /// What the passes over a block find besides edges.
    struct BlockLists
    {
        std::size_t block;  // its number
        BlockVertices* vertices;
        ReadNotes* notes;
    };

    /// The state of a pass over a range of lines.
    struct Cursor
    {
        const char* p;         // the next line
        const char* fast_end;  // a fast step may start before this byte
        const char* end;
        PackedEdge* edge;  // the next free slots
        Weight* weight;
        Vertex largest = -1;  // of the vertices that fast_edge and careful_edge parsed
        BlockLists lists;
    };

    /// The members of a cursor that plain_edge changes.
    struct Step
    {
        const char* p;
        PackedEdge* edge;
        Weight* weight;
    };

    /// The facts that fast_weight needs to parse floats.
    struct FloatForm
    {
        const char* text_end;
        bool mixed_weights;
        ReadNotes* notes;
    };

    [[nodiscard]] FloatForm float_form(const Cursor& cursor) const
    {
        return {input_.end(), form_.mixed_weights, cursor.lists.notes};
    }

    /// The properties that all plain lines share.
    struct PlainForm
    {
        std::uint32_t first_vertex;
        char marker;
        char separator;
        FloatForm float_form;
    };

    Cursor start(TextRange range, Slots<Weight> out, const BlockLists& lists) const
    {
        const bool plain = !form_.names && (!form_.columns || form_.columns->in_order());
        const bool longer = plain && input_.end() - range.begin > kFastLineBytes;
        return {range.begin, longer ? std::min(range.end, input_.end() - kFastLineBytes) : range.begin,
                range.end,   out.edges,
                out.weights, -1,
                lists};
    }

    /// Parses lines at both cursors until one of them nears its end. Returns the largest vertex of
    /// the plain lines, -1 if there were none, or kOutOfRange.
    Vertex run_plain(Cursor& one, Cursor& two) const
    {
        const PlainForm plain = plain_form(one);
        FastPair::Extremes extremes;
        for (;;) {
            const std::ptrdiff_t lines = std::min(one.fast_end - one.p, two.fast_end - two.p) / kFastLineBytes;
            if (lines <= 0) break;
            take_plain_lines(one, two, extremes, plain, lines);
            // The line at one of the cursors may not be plain.
            if (one.p < one.fast_end && !fast_edge(one)) careful_edge(one);
            if (two.p < two.fast_end && !fast_edge(two)) careful_edge(two);
        }
        if (extremes.least() > extremes.most()) return -1;  // no plain lines
        const Vertex least = extremes.least() - form_.first_vertex;
        const Vertex most = extremes.most() - form_.first_vertex;
        return least >= 0 && most < form_.vertex_count ? most : kOutOfRange;
    }

    /// Parses up to `lines` plain lines at each cursor, and stops at a line that is not plain. This
    /// is the hot loop; it is a function of its own so that its variables stay in registers.
    [[gnu::noinline]] static void take_plain_lines(Cursor& at_one, Cursor& at_two, FastPair::Extremes& all_extremes,
                                                   PlainForm plain, std::ptrdiff_t lines)
    {
        Step one{at_one.p, at_one.edge, at_one.weight};
        Step two{at_two.p, at_two.edge, at_two.weight};
        FastPair::Extremes extremes = all_extremes;
        for (; lines > 0; --lines)
            if (!plain_edge(one, plain, extremes) || !plain_edge(two, plain, extremes)) break;
        all_extremes = extremes;
        at_one.p = one.p;
        at_one.edge = one.edge;
        at_one.weight = one.weight;
        at_two.p = two.p;
        at_two.edge = two.edge;
        at_two.weight = two.weight;
    }

    void run(Cursor& cursor) const
    {
        while (cursor.p != cursor.end)
            if (cursor.p >= cursor.fast_end || !fast_edge(cursor)) careful_edge(cursor);
    }

    /// Parses a block that has a fault once more, and throws the first fault.
    [[noreturn]] void find_first_fault(TextRange block, Slots<Weight> out) const
    {
        ReadNotes notes;
        BlockVertices vertices;
        Cursor cursor = start(block, out, {0, &vertices, &notes});
        while (cursor.p != cursor.end) careful_edge(cursor);
        throw std::logic_error("a fault in a block of edges was not found again");
    }

    /// Returns the form of the line at the cursor.
    PlainForm plain_form(const Cursor& cursor) const
    {
        if (form_.columns)
            return {static_cast<std::uint32_t>(form_.first_vertex), form_.marker, form_.columns->separator,
                    float_form(cursor)};
        const auto is_other = [&](char c) { return !is_digit(c); };
        const char* const number = std::find_if(cursor.p, cursor.end, is_digit);
        const char* const separator = std::find_if(number, cursor.end, is_other);
        return {static_cast<std::uint32_t>(form_.first_vertex), form_.marker,
                separator != cursor.end && separates(*separator) ? *separator : ' ', float_form(cursor)};
    }

    [[gnu::always_inline]] static bool plain_edge(Step& step, const PlainForm& plain, FastPair::Extremes& extremes)
    {
        const char* q = step.p;
        if (plain.marker != 0) {
            if (q[0] != plain.marker || q[1] != ' ') return false;
            q += 2;
        }
        FastPair pair;
        if (!pair.take(q) || *pair.between() != plain.separator) [[unlikely]]
            return false;
        q = pair.behind();
        if constexpr (kWeighted) {
            if (*q != plain.separator || !fast_weight(++q, *step.weight, plain.float_form)) [[unlikely]]
                return false;
        }
        if (*q != '\n') [[unlikely]]
            return false;
        step.p = q + 1;
        extremes.add(pair);
        pair.store(step.edge++, plain.first_vertex);
        if constexpr (kWeighted) ++step.weight;
        return true;
    }

    bool fast_edge(Cursor& cursor) const
    {
        if (form_.columns) return false;
        const char* q = cursor.p;
        if (form_.marker != 0) {
            if (q[0] != form_.marker || q[1] != ' ') return false;
            q += 2;
        }
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        if (!fast_number(q, first) || !separates(*q) || !fast_number(++q, second)) return false;
        if constexpr (kWeighted) {
            if (!separates(*q) || !fast_weight(++q, *cursor.weight, float_form(cursor))) return false;
        }
        if constexpr (kWeighted) {
            std::uint64_t timestamp = 0;
            if (form_.timestamps && separates(*q) && !fast_number(++q, timestamp)) return false;
        }
        if (*q == '\r') ++q;
        if (*q != '\n') return false;
        const Vertex source = static_cast<Vertex>(first) - form_.first_vertex;
        const Vertex target = static_cast<Vertex>(second) - form_.first_vertex;
        if (std::min(source, target) < 0 || std::max(source, target) >= form_.vertex_count) return false;
        cursor.p = q + 1;
        put(cursor, source, target);
        return true;
    }

    static void put(Cursor& cursor, Vertex source, Vertex target)
    {
        *cursor.edge++ = PackedEdge::pack(source, target);
        if constexpr (kWeighted) ++cursor.weight;
        cursor.largest = std::max({cursor.largest, source, target});
    }

    template <std::signed_integral Whole>
    static bool fast_weight(const char*& q, Whole& weight, const FloatForm& /*form*/)
    {
        const bool negative = *q == '-';
        q += negative ? 1 : 0;
        std::uint64_t size = 0;
        if (!fast_number(q, size) || size > static_cast<std::uint64_t>(std::numeric_limits<Whole>::max())) return false;
        const auto value = static_cast<Whole>(size);
        weight = negative ? -value : value;
        return true;
    }

    template <std::floating_point Real>
    static bool fast_weight(const char*& q, Real& weight, const FloatForm& form)
    {
        const char* const end = std::min(q + kFastFloatBytes, form.text_end);
        const auto [stop, error] = std::from_chars(q, end, weight);
        if (error != std::errc{} || stop == end) return false;
        if (form.mixed_weights && !looks_real({q, static_cast<std::size_t>(stop - q)})) return false;
        if (!std::isfinite(weight)) return false;
        note_digits({q, static_cast<std::size_t>(stop - q)}, *form.notes);
        q = stop;
        return true;
    }

    /// Parses a line of any form. Comments and empty lines add no edge.
    void careful_edge(Cursor& cursor) const
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
        const Vertex source = careful_vertex(line, cursor);
        const Vertex target = careful_vertex(line, cursor);
        if (form_.attributes) {
            take_attributes(cursor, line);
        } else {
            if constexpr (kWeighted) *cursor.weight = careful_weight(line, *cursor.lists.notes);
            if (form_.timestamps && !line.at_end()) line.skip_number("a timestamp");
            line.expect_end();
        }
        put(cursor, source, target);
    }

    /// Whether a character separates numbers, as far as a fast step goes.
    [[nodiscard]] bool separates(char c) const
    {
        return is_separator(c) && (form_.separator == 0 || (c == ',') == (form_.separator == ','));
    }

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
        const auto vertex_in = [&](std::string_view field) {
            if (form_.names) return name_in(field, cursor);
            return number_in(field, [&](Line& number) { return careful_vertex(number, cursor); });
        };
        const Vertex source = vertex_in(wanted[0]);
        const Vertex target = vertex_in(wanted[1]);
        if constexpr (kWeighted)
            *cursor.weight =
                number_in(wanted[2], [&](Line& number) { return careful_weight(number, *cursor.lists.notes); });
        put(cursor, source, target);
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
            *cursor.weight = careful_weight(number, *cursor.lists.notes);
            number.expect_end();
        }
    }

    static void note_digits(std::string_view weight, ReadNotes& notes)
    {
        if constexpr (std::is_floating_point_v<Weight>) {
            if (may_lose_digits<Weight>(weight)) [[unlikely]]
                notes.lost_digits = notes.lost_digits || loses_digits<Weight>(weight);
        }
    }

    Weight careful_weight(Line& line, ReadNotes& notes) const
    {
        Line ahead = line;
        const std::string_view text = ahead.word();
        const bool may_be_real = form_.mixed_weights && looks_real(text);
        if (form_.mixed_weights && !may_be_real && !looks_whole(text))
            throw ParseFailure{
                text.data(),
                text.empty() || form_.attributes ? "a weight" : "a weight (--weight-column none reads none)",
                {}};
        note_digits(text, notes);
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

    /// The name in a field; if this is in double quotes, two of them in it stand for one.
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

    Vertex careful_vertex(Line& line, const Cursor& cursor) const
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

    static constexpr std::ptrdiff_t kFastFloatBytes = 48;

    const NamedText& input_;
    EdgeLineForm form_;
    const BlockNames& names_;
};

}  // namespace wayfront::io
