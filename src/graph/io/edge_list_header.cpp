#include "graph/io/edge_list_header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>
#include <string>
#include <vector>

namespace wayfront::io {

namespace {

std::string lower(std::string_view text)
{
    std::string word(text);
    std::ranges::transform(word, word.begin(), [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return word;
}

bool is_any_of(std::string_view word, std::span<const std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

/// The number of vertices in `word`; no value if the word is not a number.
std::optional<Vertex> count_of(std::string_view word)
{
    Vertex value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || stop != word.data() + word.size() || value < 0 || value > kMaxVertices) return std::nullopt;
    return value;
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
    if (words.size() >= 2 && words[0] == "nodes") header.vertex_count = count_of(words[1]);
    if (words.size() >= 5 && words[0] == "vertices" && words[1] == "are" && words[2] == "numbered" && words[3] == "from" &&
        (words[4] == "0" || words[4] == "1"))
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
    if (words.size() < 2 || !count_of(words[0])) return;
    const std::optional<Vertex> left = count_of(words[1]);
    const std::optional<Vertex> right = count_of(words.size() > 2 ? words[2] : words[1]);
    if (!left || !right) return;
    header.left = *left;
    header.right = *right;
    header.vertex_count = header.bipartite ? *left + *right : std::max(*left, *right);
}

struct Column
{
    const char* where;
    std::string name;
};

/// All fields of a row without their quotes, empty fields included.
std::vector<Column> columns_of(std::string_view row, char separator)
{
    std::vector<Column> columns;
    for (;;) {
        const std::size_t end = std::min(row.find(separator), row.size());
        std::string_view name = row.substr(0, end);
        const auto is_padding = [](char c) { return c == ' ' || c == '"' || c == '\''; };
        while (!name.empty() && is_padding(name.front())) name.remove_prefix(1);
        while (!name.empty() && is_padding(name.back())) name.remove_suffix(1);
        columns.push_back({row.data(), lower(name)});
        if (end == row.size()) return columns;
        row.remove_prefix(end + 1);
    }
}

/// Whether the line is a row of column names. Throws ParseFailure if the names have another order
/// than source, target, weight.
bool is_row_of_names(std::string_view line)
{
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const char separator = line.find(',') != std::string_view::npos ? ',' : '\t';
    if (line.find(separator) == std::string_view::npos) return false;
    const std::vector<Column> columns = columns_of(line, separator);
    const bool named = columns.front().name.empty() ? std::ranges::any_of(line, is_letter) : is_letter(columns.front().name.front());
    if (!named) return false;

    constexpr std::array<std::string_view, 6> kSources = {"source", "src", "from", "fromnodeid", "start", "u"};
    constexpr std::array<std::string_view, 6> kTargets = {"target", "dst", "to", "tonodeid", "end", "v"};
    if (columns.front().name.empty())
        throw ParseFailure{columns.front().where, "the name of the column of sources (pandas: write with index=False)", "a column without a name"};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool misplaced = (i != 0 && is_any_of(columns[i].name, kSources)) || (i != 1 && is_any_of(columns[i].name, kTargets));
        if (misplaced) throw ParseFailure{columns[i].where, "the columns source, target and, if there are weights, weight, in this order", {}};
    }
    return true;
}

}  // namespace

EdgeListHeader read_edge_list_header(const NamedText& input)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // spreadsheets write it
    EdgeListHeader header;
    const char* p = input.begin() + (input.text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    bool after_konect_kind = false;
    const char* kind_at = nullptr;
    while (p != input.end()) {
        Line line(p, input.end());
        if (!line.at_end()) {
            if (kEdgeListComments.find(*line.where()) == std::string_view::npos) break;
            const std::vector<std::string> words = words_of_comment(line.rest());
            take_comment(header, words);
            if (after_konect_kind) take_konect_counts(header, words);
            after_konect_kind = *line.where() == '%' && take_konect_kind(header, words);
            if (after_konect_kind) kind_at = line.where();
        }
        p = line.next_line();
    }
    if (header.bipartite && !(header.left > 0 && header.right > 0))
        throw ParseFailure{kind_at, "a line `% EDGES LEFT RIGHT`, the numbers of a bipartite graph, after this one", "none"};
    header.body = p;
    if (p == input.end()) return header;
    Line first(p, input.end());
    first.at_end();
    header.column_names = is_row_of_names(first.rest());
    if (header.column_names) header.body = first.next_line();
    return header;
}

}  // namespace wayfront::io
