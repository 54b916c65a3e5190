// The readers, one per format; graph_file.cpp chooses one. Text readers throw ParseFailure for
// faults with a place, and InputError for other faults.
#pragma once

#include "graph/io/graph_file.hpp"
#include "graph/io/parse_error.hpp"
#include "graph/io/text_blocks.hpp"
#include "graph/io/tokens.hpp"

namespace wayfront::io {

/// The kind of weights of a text that are not whole numbers.
[[nodiscard]] inline WeightKind real_kind(const ReadOptions& options)
{
    return options.double_precision ? WeightKind::float64 : WeightKind::float32;
}

GraphShare read_dimacs(const NamedText& input, const ReadOptions& options);
GraphShare read_matrix_market(const NamedText& input, const ReadOptions& options);
GraphShare read_edge_list(const NamedText& input, const ReadOptions& options);
GraphShare read_metis(const NamedText& input, const ReadOptions& options);
GraphShare read_graphml(const NamedText& input, const ReadOptions& options);
GraphShare read_gml(const NamedText& input, const ReadOptions& options);

/// `bytes` is the whole file. Layout: read_gapbs.cpp.
GraphShare read_gapbs(std::string_view bytes, const std::string& path, bool weighted, const ReadOptions& options);
/// `bytes` is the whole file; weights, if there are any, are in the file `path`.weights.
GraphShare read_tuples(std::string_view bytes, const std::string& path, const ReadOptions& options);

}  // namespace wayfront::io
