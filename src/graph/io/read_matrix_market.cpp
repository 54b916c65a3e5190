// Matrix Market coordinate files, read as adjacency matrices: the entry in row i and column j is an
// edge from i to j.
//
//     %%MatrixMarket matrix coordinate <pattern|integer|real|double> <general|symmetric>
//     % comments
//     <rows> <columns> <entries>
//     <row> <column> [value]
//
// Rows and columns count from 1. A symmetric file holds one triangle, and each of its entries is
// one undirected edge.
#include <limits>

#include "graph/io/edge_lines.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

namespace {

struct Banner
{
    WeightKind weights;
    bool symmetric;
};

/// The next word of the banner, which is case-insensitive, and its place.
struct Word
{
    const char* where;
    std::string text;
};

Word lower_word(Line& line)
{
    line.at_end();
    const char* const where = line.where();
    return {where, lower(line.word())};
}

Banner read_banner(Line& line)
{
    // Some programs write one percent sign.
    if (const Word word = lower_word(line); word.text != "%%matrixmarket" && word.text != "%matrixmarket")
        throw ParseFailure{word.where, "the banner `%%MatrixMarket matrix coordinate <field> <symmetry>`", {}};
    if (const Word word = lower_word(line); word.text != "matrix") throw ParseFailure{word.where, "`matrix`", {}};
    if (const Word word = lower_word(line); word.text != "coordinate")
        throw ParseFailure{word.where, "`coordinate` (graphs are sparse matrices; dense arrays are not read)", {}};

    Banner banner{};
    const Word field = lower_word(line);
    if (field.text == "pattern") {
        banner.weights = WeightKind::none;
    } else if (field.text == "integer") {
        banner.weights = WeightKind::int32;
    } else if (field.text == "real" || field.text == "double") {
        banner.weights = WeightKind::float32;
    } else {
        throw ParseFailure{field.where, "a field of `pattern`, `integer` or `real`", {}};
    }
    const Word symmetry = lower_word(line);
    if (symmetry.text != "general" && symmetry.text != "symmetric")
        throw ParseFailure{
            symmetry.where, "a symmetry of `general` (a directed graph) or `symmetric` (an undirected one)", {}};
    banner.symmetric = symmetry.text == "symmetric";
    line.expect_end();
    return banner;
}

}  // namespace

GraphShare read_matrix_market(const NamedText& input, const ReadOptions& options)
{
    Line banner_line(input.begin(), input.end());
    const Banner banner = read_banner(banner_line);

    Line size_line = next_content_line(input, banner_line.next_line(), "%");
    const char* const size_at = size_line.where();
    const Vertex rows = size_line.integer(0, kMaxVertices, "the number of rows");
    size_line.at_end();
    const char* const columns_at = size_line.where();
    const Vertex columns = size_line.integer(0, kMaxVertices, "the number of columns");
    if (rows != columns)
        throw ParseFailure{
            columns_at, "as many columns as rows, " + std::to_string(rows) + " (a graph is a square matrix)", {}};

    GraphShare share;
    share.list.directed = !banner.symmetric;
    share.facts.first_vertex = 1;
    share.facts.vertex_count_known = true;
    share.facts.vertex_count = rows;
    share.facts.declared_edges = size_line.integer(0, std::numeric_limits<EdgeCount>::max(), "the number of entries");
    share.facts.header_line = line_number(input, size_at);
    size_line.expect_end();

    EdgeLineForm form;
    form.comments = "%";
    form.first_vertex = 1;
    form.vertex_count = rows;
    form.weights = banner.weights == WeightKind::float32 ? real_kind(options) : banner.weights;
    const char* const body = next_content_line(input, size_line.next_line(), "%").line_begin();
    read_edge_lines(share, input, share_of_lines({body, input.end()}, options.part, options.parts), form, options);
    return share;
}

}  // namespace wayfront::io
