// Reads the lines of an edge list before its first edge: comments, and a row of column names.
//
//     # Undirected graph: source target weight    the direction, as SNAP and this program write it
//                                                 (or: # Directed graph)
//     # Nodes: 5 Edges: 7                         the number of vertices
//     # Vertices are numbered from 1              written by this program if they are
//
//     % sym unweighted                            KONECT: sym (undirected), asym (directed) or bip
//                                                 (bipartite, undirected)
//     % 7 5 5                                     edges; vertices on the left and on the right
//
//     source,target,weight                        column names of CSV and TSV files, separated by
//                                                 commas or tabs
//
// KONECT numbers vertices from 1, and those on the right of a bipartite graph from 1 again.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/io/parse_error.hpp"
#include "graph/io/tokens.hpp"

namespace wayfront::io {

inline constexpr std::string_view kEdgeListComments = "#%";

struct EdgeListHeader
{
    std::optional<bool> directed{};
    std::optional<Vertex> vertex_count{};
    std::optional<Vertex> first_vertex{};
    bool konect = false;
    bool bipartite = false;
    Vertex left = 0;  // number of vertices on each side of a bipartite graph
    Vertex right = 0;
    bool column_names = false;
    const char* body = nullptr;  // the line of the first edge, or the end of the text
};

/// Throws ParseFailure if a KONECT header of a bipartite graph has no numbers of vertices, or if
/// columns have another order than source, target.
EdgeListHeader read_edge_list_header(const NamedText& input);

}  // namespace wayfront::io
