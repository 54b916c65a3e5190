// Lines with one edge each: `source target`, `source target weight`, `a source target weight`. The body of DIMACS, Matrix Market and edge list
// files, and the only hot loop of the readers. Edge lists may also have a timestamp in a fourth column, or a dictionary of attributes in the third,
// as NetworkX writes it.
#pragma once

#include <optional>
#include <string_view>

#include "graph/io/text_blocks.hpp"

namespace wayfront::io {

/// What the lines of a body look like.
struct EdgeLineForm
{
    std::string_view comments;           // characters that start a comment line
    char marker = 0;                     // what stands before each edge: 'a' (DIMACS arcs); 0: nothing
    char optional_marker = 0;            // what may stand before an edge: 'e' (DIMACS `p edge`)
    Vertex first_vertex = 0;             // the first vertex' name in the file
    Vertex vertex_count = kMaxVertices;  // vertices past it are errors
    WeightKind weights = WeightKind::none;
    bool mixed_weights = false;                 // whether weights are integers or floats shows in the weights alone
    char header_marker = 0;                     // what starts the header, which must not come again; 0: nothing does
    bool timestamps = false;                    // a number may follow the weight, and is skipped
    bool attributes = false;                    // each edge ends with `{}`, or with `{'weight': 7}` if edges have weights
    std::string_view vertex_name = "a vertex";  // in messages
};

/// Thrown where mixed weights are read as integers and one is not: read everything again, as floats.
struct RealWeightFound
{
};

/// The text of the weight in `{'weight': 7}`, empty for `{}`; nothing for any other text.
std::optional<std::string_view> weight_attribute(std::string_view dictionary);

/// Reads the lines of `range` into share.list. Throws ParseFailure; RealWeightFound where form.mixed_weights.
void read_edge_lines(GraphShare& share, const NamedText& input, TextRange range, const EdgeLineForm& form, const ReadOptions& options);

}  // namespace wayfront::io
