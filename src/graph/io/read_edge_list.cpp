// Edge lists, as SNAP, GAPBS (.el, .wel), KONECT, NetworkX and spreadsheets write them: one edge
// per line,
//
//     # a comment (or: % a comment)
//     <source> <target> [weight [timestamp]]
//     <source> <target> {'weight': <weight>}          (or: {})
//
// separated by blanks, tabs or a comma. The lines before the first edge (edge_list_header.hpp) may
// give the direction, the number of vertices and the number of the first vertex; without them,
// edges are directed and vertices are numbered from 0. The first edge of the file decides for all
// shares whether edges have weights and timestamps. Weights are whole numbers unless one of them
// has a point or an exponent; then all of them are floats. A share that saw only whole numbers
// learns of floats when the facts of the shares are merged.
#include <algorithm>

#include "base/error.hpp"
#include "graph/io/edge_lines.hpp"
#include "graph/io/edge_list_header.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

namespace {

constexpr std::string_view kEdgeWanted = "an edge `source target` or `source target weight`";

WeightKind kind_of(std::string_view weight, const ReadOptions& options)
{
    return weight.empty() ? WeightKind::none : looks_real(weight) ? real_kind(options) : WeightKind::int32;
}

/// Sets `form` by the columns of the first edge.
void take_columns(EdgeLineForm& form, Line first, const ReadOptions& options)
{
    if (first.rest().starts_with('<'))
        throw ParseFailure{first.where(),
                           std::string(kEdgeWanted) +
                               " (GraphML and other XML is not read; NetworkX writes edge lists: nx.write_edgelist(G, "
                               "'graph.el', data=False))",
                           {}};
    first.integer(form.first_vertex, kMaxVertices - 1 + form.first_vertex, form.vertex_name);
    first.integer(form.first_vertex, kMaxVertices - 1 + form.first_vertex, form.vertex_name);
    first.at_end();
    if (first.rest().starts_with('{')) {
        const std::optional<std::string_view> weight = weight_attribute(first.rest());
        if (!weight)
            throw ParseFailure{
                first.where(), "`{}` or `{'weight': NUMBER}` (NetworkX leaves other attributes out with nx.write_edgelist(G, path, data=False))", {}};
        form.attributes = true;
        form.weights = kind_of(*weight, options);
        return;
    }
    form.weights = kind_of(first.word(), options);
    form.timestamps = !first.word().empty();
}

/// Numbers the vertices on the right of a bipartite graph after those on the left.
void join_sides(EdgeList& list, const EdgeListHeader& header, std::string_view name)
{
    for (PackedEdge& edge : list.edges) {
        if (edge.source() >= header.left || edge.target() >= header.right)
            throw InputError(std::string(name) + ": expected vertices up to " + std::to_string(header.left) + " on the left and up to " +
                             std::to_string(header.right) + " on the right, as the header says, found the edge " + std::to_string(edge.source() + 1) +
                             " " + std::to_string(edge.target() + 1));
        edge = PackedEdge::pack(edge.source(), edge.target() + header.left);
    }
}

}  // namespace

GraphShare read_edge_list(const NamedText& input, const ReadOptions& options)
{
    const EdgeListHeader header = read_edge_list_header(input);
    const Line first = next_content_line(input, header.body, kEdgeListComments);

    GraphShare share;
    share.list.directed = header.directed.value_or(true);
    share.facts.direction_told = header.directed.has_value();
    share.facts.first_vertex = header.bipartite ? 1 : options.first_vertex.value_or(header.first_vertex.value_or(0));
    share.facts.right_vertices = header.bipartite ? header.right : 0;

    EdgeLineForm form;
    form.comments = kEdgeListComments;
    form.first_vertex = share.facts.first_vertex;
    if (header.konect) form.vertex_name = "a vertex (KONECT numbers them from 1; --zero-based allows 0)";
    form.mixed_weights = true;
    if (!Line(first).at_end()) {
        take_columns(form, first, options);
    } else if (!header.vertex_count && !header.column_names) {
        throw ParseFailure{first.where(), std::string(kEdgeWanted), {}};
    }
    share.facts.timestamps = form.timestamps;

    const TextRange range = share_of_lines({first.line_begin(), input.end()}, options.part, options.parts);
    try {
        read_edge_lines(share, input, range, form, options);
    } catch (const RealWeightFound&) {
        form.weights = real_kind(options);
        read_edge_lines(share, input, range, form, options);
    }
    if (header.bipartite) join_sides(share.list, header, input.name);
    share.facts.vertex_count = header.bipartite ? header.left + header.right : std::max(share.facts.vertex_count, header.vertex_count.value_or(0));
    return share;
}

}  // namespace wayfront::io
