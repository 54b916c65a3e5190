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
//     source,target,weight                        column names (edge_columns.hpp)
//
// KONECT numbers vertices from 1, and those on the right of a bipartite graph from 1 again.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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
    std::optional<EdgeCount> edge_count{};
    const char* counts_at = nullptr;  // the line of the number of edges
    std::string_view last_comment{};  // the last comment before the body; empty if there is none
    std::string_view names{};         // the row of column names; empty if there is none
    const char* body = nullptr;       // the line of the first edge, or the end of the text
};

/// Throws ParseFailure if a KONECT header of a bipartite graph has no numbers of vertices.
EdgeListHeader read_edge_list_header(const NamedText& input);

}  // namespace wayfront::io
