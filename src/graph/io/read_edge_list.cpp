// Edge lists, as SNAP, GAPBS (.el, .wel), KONECT and spreadsheets write them: one directed edge a line,
//
//     # a comment (or: % a comment)
//     <source> <target> [weight]
//
// with blanks, tabs or commas between. Vertices are numbered as they are written, from 0. The first edge of the file decides whether edges have
// weights, for all shares. Weights are int32 unless one of them has a point or an exponent; then all are floats, and a share that
// saw only integers learns of it when the facts of the shares are merged.
#include "graph/io/edge_lines.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

GraphShare read_edge_list(const NamedText& input, const ReadOptions& options)
{
    constexpr std::string_view kComments = "#%";
    Line first = next_content_line(input, input.begin(), kComments);
    const char* const body = first.line_begin();
    if (first.at_end()) throw ParseFailure{first.where(), "an edge `source target` or `source target weight`", {}};
    first.integer(0, kMaxVertices - 1, "a vertex");
    first.integer(0, kMaxVertices - 1, "a vertex");
    const std::string_view weight = first.word();

    EdgeLineForm form;
    form.comments = kComments;
    form.mixed_weights = true;
    form.weights = weight.empty() ? WeightKind::none : looks_real(weight) ? WeightKind::float32 : WeightKind::int32;
    const TextRange range = share_of_lines({body, input.end()}, options.part, options.parts);

    GraphShare share;
    share.list.directed = true;
    try {
        read_edge_lines(share, input, range, form, options);
    } catch (const RealWeightFound&) {
        form.weights = WeightKind::float32;
        read_edge_lines(share, input, range, form, options);
    }
    return share;
}

}  // namespace wayfront::io
