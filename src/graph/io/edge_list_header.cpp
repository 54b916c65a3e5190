#include "graph/io/edge_list_header.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "graph/io/edge_columns.hpp"

namespace wayfront::io {

namespace {

/// The number in `word`; no value if it is not a number from 0 to `most`.
std::optional<std::int64_t> count_of(std::string_view word, std::int64_t most)
{
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || stop != word.data() + word.size() || value < 0 || value > most) return std::nullopt;
    return value;
}

std::optional<Vertex> vertices_in(std::string_view word)
{
    return count_of(word, kMaxVertices);
}

std::optional<EdgeCount> edges_in(std::string_view word)
{
    return count_of(word, std::numeric_limits<EdgeCount>::max());
}

/// The words of a comment line without its marker, in lower case.
std::vector<std::string> words_of_comment(std::string_view comment)
{
    std::vector<std::string> words;
    const auto is_gap = [](char c) { return is_separator(c) || c == ':'; };
    comment.remove_prefix(1);
    while (!comment.empty()) {
        const auto begin = std::ranges::find_if_not(comment, is_gap);
        const auto end = std::find_if(begin, comment.end(), is_gap);
        if (begin != end) words.push_back(lower({begin, end}));
        comment = {end, comment.end()};
    }
    return words;
}

/// Reads "# Undirected graph", "# Nodes: 5 Edges: 7", or "# Vertices are numbered from 1".
void take_comment(EdgeListHeader& header, const std::vector<std::string>& words)
{
    if (words.size() >= 2 && (words[0] == "directed" || words[0] == "undirected") && words[1].starts_with("graph"))
        header.directed = words[0] == "directed";
    if (words.size() >= 2 && words[0] == "nodes") header.vertex_count = vertices_in(words[1]);
    if (words.size() >= 4 && words[0] == "nodes" && words[2] == "edges") header.edge_count = edges_in(words[3]);
    if (words.size() >= 5 && words[0] == "vertices" && words[1] == "are" && words[2] == "numbered" &&
        words[3] == "from" && (words[4] == "0" || words[4] == "1"))
        header.first_vertex = words[4] == "1" ? 1 : 0;
}

/// Reads "% sym unweighted". Returns whether the line is of this form.
bool take_konect_kind(EdgeListHeader& header, const std::vector<std::string>& words)
{
    if (words.empty() || words.size() > 2) return false;
    if (words[0] != "sym" && words[0] != "asym" && words[0] != "bip") return false;
    header.konect = true;
    header.bipartite = words[0] == "bip";
    header.directed = words[0] == "asym";
    header.first_vertex = 1;
    return true;
}

/// Reads "% 7 5 5", the line after "% sym unweighted".
void take_konect_counts(EdgeListHeader& header, const std::vector<std::string>& words)
{
    if (words.size() < 2 || !vertices_in(words[0])) return;
    const std::optional<Vertex> left = vertices_in(words[1]);
    const std::optional<Vertex> right = vertices_in(words.size() > 2 ? words[2] : words[1]);
    if (!left || !right) return;
    header.edge_count = edges_in(words[0]);
    header.left = *left;
    header.right = *right;
    header.vertex_count = header.bipartite ? *left + *right : std::max(*left, *right);
}

}  // namespace

EdgeListHeader read_edge_list_header(const NamedText& input)
{
    EdgeListHeader header;
    const char* p = input.begin();
    bool after_konect_kind = false;
    const char* kind_at = nullptr;
    while (p != input.end()) {
        Line line(p, input.end());
        if (!line.at_end()) {
            if (kEdgeListComments.find(*line.where()) == std::string_view::npos) break;
            const std::vector<std::string> words = words_of_comment(line.rest());
            const bool had_edge_count = header.edge_count.has_value();
            take_comment(header, words);
            if (after_konect_kind) take_konect_counts(header, words);
            if (header.edge_count && !had_edge_count) header.counts_at = line.where();
            header.last_comment = line.rest();
            after_konect_kind = *line.where() == '%' && take_konect_kind(header, words);
            if (after_konect_kind) kind_at = line.where();
        }
        p = line.next_line();
    }
    if (header.bipartite && !(header.left > 0 && header.right > 0))
        throw ParseFailure{kind_at, "a line `% EDGES LEFT RIGHT`, the numbers of a bipartite graph, after this one",
                           "none"};
    header.body = p;
    if (p == input.end()) return header;
    Line first(p, input.end());
    first.at_end();
    if (!is_row_of_names(first.rest())) return header;
    header.names = first.rest();
    header.body = first.next_line();
    return header;
}

}  // namespace wayfront::io
