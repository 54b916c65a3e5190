// Lines with one edge each: `source target`, `source target weight`, `a source target weight`. The body of DIMACS, Matrix Market and edge list
// files, and the only hot loop of the readers.
#pragma once

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
    bool mixed_weights = false;  // whether weights are integers or floats shows in the weights alone
    char header_marker = 0;      // what starts the header, which must not come again; 0: nothing does
};

/// Thrown where mixed weights are read as integers and one is not: read everything again, as floats.
struct RealWeightFound
{
};

/// Reads the lines of `range` into share.list. Throws ParseFailure; RealWeightFound where form.mixed_weights.
void read_edge_lines(GraphShare& share, const NamedText& input, TextRange range, const EdgeLineForm& form, const ReadOptions& options);

}  // namespace wayfront::io
