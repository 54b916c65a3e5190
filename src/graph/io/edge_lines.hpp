// Reads lines with one edge each: `source target`, `source target weight`, `a source target
// weight`. They are the body of DIMACS, Matrix Market and edge list files; reading them is the only
// hot loop of the readers. Edge lists may also have a timestamp in a fourth column, or a dictionary
// of attributes in the third, as NetworkX writes it.
#pragma once

#include <limits>
#include <optional>
#include <string_view>

#include "graph/io/edge_columns.hpp"
#include "graph/io/text_blocks.hpp"
#include "graph/io/tokens.hpp"

namespace wayfront::io {

/// The form of the lines of a body.
struct EdgeLineForm
{
    std::string_view comments;           // characters that start a comment line
    char marker = 0;                     // before each edge: 'a' (DIMACS arcs); 0: none
    char optional_marker = 0;            // may precede an edge: 'e' (DIMACS `p edge`); 0: none
    char node_marker = 0;                // begins lines that are skipped: 'n' (DIMACS); 0: none
    Vertex first_vertex = 0;             // the number of the first vertex in the file
    Vertex vertex_count = kMaxVertices;  // vertices with larger numbers are errors
    bool large_numbers = false;          // whether larger numbers are listed (large_numbers.hpp)
    // Whether the message about a larger number, or about a name, names the option that would allow it.
    bool may_allow_others = false;
    bool names = false;  // whether the ends of edges are names (vertex_names.hpp)
    WeightKind weights = WeightKind::none;
    // Whether weights are integers or floats is known only from the weights themselves.
    bool mixed_weights = false;
    // The first character of the header, which must appear only once; 0: none.
    char header_marker = 0;
    bool timestamps = false;  // a number may follow the weight, and is skipped
    // Each edge ends with `{}`, or with `{'weight': 7}` if edges have weights.
    bool attributes = false;
    bool skips_attributes = false;  // skips all attributes of an edge
    // Between numbers: ',' with or without blanks, ' ' for blanks and tabs, 0 for any of them.
    char separator = 0;
    std::optional<EdgeColumns> columns{};       // the columns of lines with further columns, or with one separator
    std::string_view vertex_name = "a vertex";  // name of a vertex in messages
};

/// Thrown if mixed weights are read as integers and one of them is not whole. The caller then reads
/// all lines again, with floating-point weights.
struct RealWeightFound
{
};

/// Adds advice to a failure: the option that allows names, or numbers above `last`, if the vertex is such. Pre: the
/// vertex is the last token that was read from the line.
void advise_on_vertex(ParseFailure& failure, const Line& line, Vertex last);

/// Reads the number of a vertex, counted as the file counts them. Throws ParseFailure.
inline Vertex read_vertex(Line& line, const EdgeLineForm& form)
{
    const Vertex last =
        form.large_numbers ? std::numeric_limits<Vertex>::max() : form.first_vertex + form.vertex_count - 1;
    try {
        return line.integer(form.first_vertex, last, form.vertex_name);
    } catch (ParseFailure& failure) {
        if (form.may_allow_others) advise_on_vertex(failure, line, last);
        throw;
    }
}

/// The text of the weight in `{'weight': 7}`, an empty text for `{}`, and no value for any other
/// text.
std::optional<std::string_view> weight_attribute(std::string_view dictionary);

/// Reads the lines of `range` into share.list. Whole weights are int32; if one of them does not
/// fit, all lines are read again, with int64 weights. Throws ParseFailure, and RealWeightFound if
/// form.mixed_weights is set. If the form has large numbers, lists them in share.large_numbers; if it
/// has names, share.names has them.
void read_edge_lines(GraphShare& share, const NamedText& input, TextRange range, const EdgeLineForm& form,
                     const ReadOptions& options);

}  // namespace wayfront::io
