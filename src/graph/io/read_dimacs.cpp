// DIMACS files: the shortest path format of the 9th Implementation Challenge, and similar formats
// for undirected graphs.
//
//     c a comment                     c a comment
//     p sp <vertices> <arcs>          p tw <vertices> <edges>   (PACE; colouring: `edge` or `col`)
//     a <from> <to> <weight>          <one> <other>             (or: e <one> <other>)
//     n <vertex> ...                  properties of a vertex, which are skipped
//
// Vertices count from 1.
#include <limits>

#include "graph/io/edge_lines.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

GraphShare read_dimacs(const NamedText& input, const ReadOptions& options)
{
    constexpr std::string_view kHeaderWanted = "the header `p sp <vertices> <arcs>` (or `p tw`, `p edge`, `p col`)";
    Line header = next_content_line(input, input.begin(), "c");
    const char* const header_at = header.where();
    if (header.word() != "p") throw ParseFailure{header_at, std::string(kHeaderWanted), {}};
    header.at_end();
    const char* const kind_at = header.where();
    const std::string_view kind = header.word();
    const bool arcs = kind == "sp";
    if (!arcs && kind != "tw" && kind != "edge" && kind != "col")
        throw ParseFailure{kind_at, "the kind of problem, one of `sp`, `tw`, `edge`, `col`", {}};

    GraphShare share;
    share.list.directed = arcs;
    share.facts.first_vertex = 1;
    share.facts.vertex_count_known = true;
    share.facts.vertex_count = header.integer(0, kMaxVertices, "the number of vertices");
    share.facts.declared_edges =
        header.integer(0, std::numeric_limits<EdgeCount>::max(), arcs ? "the number of arcs" : "the number of edges");
    share.facts.header_line = line_number(input, header_at);
    header.expect_end();

    EdgeLineForm form;
    form.comments = "c";
    form.marker = arcs ? 'a' : '\0';
    form.optional_marker = arcs ? '\0' : 'e';
    form.node_marker = 'n';
    form.header_marker = 'p';
    form.first_vertex = 1;
    form.vertex_count = share.facts.vertex_count;
    form.weights = arcs ? WeightKind::int32 : WeightKind::none;
    const char* const body = next_content_line(input, header.next_line(), "c").line_begin();
    read_edge_lines(share, input, share_of_lines({body, input.end()}, options.part, options.parts), form, options);
    return share;
}

}  // namespace wayfront::io
