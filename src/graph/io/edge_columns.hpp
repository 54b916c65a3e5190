// The columns of edge lists that name them, as CSV and TSV files do, or whose user names them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "graph/io/graph_file.hpp"
#include "graph/io/parse_error.hpp"

namespace wayfront::io {

/// One separator for the whole file: a tab, ',' or ';', or ' ' for blanks and tabs, any number of
/// them.
struct EdgeColumns
{
    char separator = ' ';
    std::size_t count = 0;  // the number of columns in each line
    std::size_t source = 0;
    std::size_t target = 1;
    std::optional<std::size_t> weight{};

    /// Whether lines have the form `source target` or `source target weight`, and no other columns.
    [[nodiscard]] bool in_order() const
    {
        return source == 0 && target == 1 && count == (weight ? 3U : 2U) && (!weight || *weight == 2);
    }
};

/// The position of the double quote that ends what begins with one at `begin`, in which two of them
/// stand for one; the size of the line if none ends it.
[[nodiscard]] std::size_t closing_quote(std::string_view line, std::size_t begin);

/// Calls f(i, text) for each field of a line, without the blanks and the double quotes around it.
/// Returns the number of fields.
template <typename F>
std::size_t for_each_field(std::string_view line, char separator, const F& f)
{
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    const auto separates = [&](char c) { return separator == ' ' ? is_blank(c) : c == separator; };
    std::size_t begin = 0;
    for (std::size_t count = 0;; ++count) {
        while (begin < line.size() && is_blank(line[begin]) && (separator == ' ' || !separates(line[begin]))) ++begin;
        if (separator == ' ' && begin == line.size()) return count;
        std::size_t end = begin;
        if (begin < line.size() && line[begin] == '"') end = closing_quote(line, begin);
        while (end < line.size() && !separates(line[end])) ++end;
        std::string_view text = line.substr(begin, end - begin);
        while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
        if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
        f(count, text);
        if (end == line.size()) return count + 1;
        begin = end + 1;
    }
}

/// The separator of a line: the first of tab, ',' and ';' that it contains outside double
/// quotes, otherwise ' '.
[[nodiscard]] char separator_of(std::string_view line);

/// Whether a line names columns rather than having numbers.
[[nodiscard]] bool is_row_of_names(std::string_view line);

/// The columns that a row of names and the user's choice determine, and in `notes` which others are
/// left out. Throws ParseFailure if they determine none, or if several could be meant.
[[nodiscard]] EdgeColumns columns_named(std::string_view row, char separator, const ColumnChoice& choice,
                                        ReadNotes& notes);

/// The columns that the user chose by number, for lines like `first`; without a choice those of the
/// form `source target weight timestamp`. Throws ParseFailure.
[[nodiscard]] EdgeColumns columns_numbered(std::string_view first, const ColumnChoice& choice, ReadNotes& notes);

/// Whether a row has usual names of both sources and targets, or a name of the user's choice.
[[nodiscard]] bool has_names_of_columns(std::string_view row, const ColumnChoice& choice);

/// Whether a comment names the columns of lines with this number of fields: "# SRC DST UNIXTS".
[[nodiscard]] bool comment_names_columns(std::string_view comment, std::size_t fields);

}  // namespace wayfront::io
