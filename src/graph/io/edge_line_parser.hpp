// Parses blocks of lines with one edge each, for read_edge_lines() (edge_lines.hpp).
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "graph/io/careful_edge_lines.hpp"
#include "graph/io/edge_lines.hpp"
#include "graph/io/fast_pair.hpp"
#include "graph/io/text_blocks.hpp"
#include "graph/io/tokens.hpp"

namespace wayfront::io {

/// A fast step may start only if this many bytes of the text follow. It reads a marker, two numbers
/// of up to 17 bytes, a float, a sign, separators and the end of the line, and never more than
/// these bytes.
inline constexpr std::ptrdiff_t kFastLineBytes = 128;

/// The least number of bytes of a line with an edge: "0 1" and a newline, which may be missing in
/// the last line.
inline constexpr std::size_t kLeastEdgeBytes = 4;

/// The number of edges in lines, at most.
inline std::size_t most_edges(TextRange range)
{
    const bool open_end = range.begin != range.end && range.end[-1] != '\n';
    return std::min(count_newlines(range) + (open_end ? 1 : 0), (range.bytes() + 1) / kLeastEdgeBytes);
}

/// Parses blocks with one type of weight. There are three functions that parse a line; each leaves
/// the lines that it cannot parse to the next one:
///   plain_edge   vertices of up to eight digits, and the same separators and line ends in all
///                lines; ranges are checked at the end of the block
///   fast_edge    vertices of up to 16 digits, any separator
///   CarefulEdgeLines::take_line (careful_edge_lines.hpp)   every line; names every fault
/// The end of a line is known only after its numbers have been parsed, so a single pass over a
/// block spends most of its time waiting for its own results. Two passes over the two halves of a
/// block therefore take turns: one works while the other waits.
template <typename Weight>
class EdgeLineParser
{
public:
    /// `names` says how edges store names, if the form has any. It outlives the parser.
    EdgeLineParser(const NamedText& input, const EdgeLineForm& form, const BlockNames& names)
        : input_(input), form_(form), careful_(input, form, names)
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
    using Cursor = EdgeCursor<Weight>;

    static constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
    static constexpr Vertex kOutOfRange = -2;

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
            if (one.p < one.fast_end && !fast_edge(one)) careful_.take_line(one);
            if (two.p < two.fast_end && !fast_edge(two)) careful_.take_line(two);
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
            if (cursor.p >= cursor.fast_end || !fast_edge(cursor)) careful_.take_line(cursor);
    }

    /// Parses a block that has a fault once more, and throws the first fault.
    [[noreturn]] void find_first_fault(TextRange block, Slots<Weight> out) const
    {
        ReadNotes notes;
        BlockVertices vertices;
        Cursor cursor = start(block, out, {0, &vertices, &notes});
        while (cursor.p != cursor.end) careful_.take_line(cursor);
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
        q = pair.end();
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
        cursor.put(source, target);
        return true;
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
        note_digits<Weight>({q, static_cast<std::size_t>(stop - q)}, *form.notes);
        q = stop;
        return true;
    }

    /// Whether a character separates numbers, as far as a fast step goes.
    [[nodiscard]] bool separates(char c) const
    {
        return is_separator(c) && (form_.separator == 0 || (c == ',') == (form_.separator == ','));
    }

    static constexpr std::ptrdiff_t kFastFloatBytes = 48;

    const NamedText& input_;
    EdgeLineForm form_;
    CarefulEdgeLines<Weight> careful_;
};

}  // namespace wayfront::io
