// The readers, one a format; graph_file.cpp picks one. Text readers throw ParseFailure for faults with a place, InputError for others.
#pragma once

#include "graph/io/graph_file.hpp"
#include "graph/io/parse_error.hpp"
#include "graph/io/text_blocks.hpp"
#include "graph/io/tokens.hpp"

namespace wayfront::io {

GraphShare read_dimacs(const NamedText& input, const ReadOptions& options);
GraphShare read_matrix_market(const NamedText& input, const ReadOptions& options);
GraphShare read_edge_list(const NamedText& input, const ReadOptions& options);
GraphShare read_metis(const NamedText& input, const ReadOptions& options);

/// `bytes` is the file. Layout: read_gapbs.cpp.
GraphShare read_gapbs(std::string_view bytes, const std::string& path, bool weighted, const ReadOptions& options);
/// `bytes` is the file; the weights, if any, are in `path`.weights.
GraphShare read_tuples(std::string_view bytes, const std::string& path, const ReadOptions& options);

/// Hash of one direction of an edge that a file holds in both: sums of these, over the edges read from the smaller vertex and those read from the
/// larger, are equal just if (but for chance, 2^-64) each edge stands both ways, with the same weight. Loops are left out.
inline std::uint64_t mirror_hash(Vertex smaller, Vertex larger, std::int64_t weight)
{
    auto mix = [](std::uint64_t x) {
        x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
        return x ^ (x >> 32);
    };
    return mix(mix(mix(static_cast<std::uint64_t>(smaller) + 0x9E3779B97F4A7C15U) + static_cast<std::uint64_t>(larger)) +
               static_cast<std::uint64_t>(weight));
}

}  // namespace wayfront::io
