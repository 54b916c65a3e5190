#include "graph/io/parse_error.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace wayfront::io {

namespace {

bool ends_token(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == '\n' || c == '\r';
}

/// The token at `where` for a message.
std::string quote_token(const char* where, const char* end)
{
    const char* stop = std::find_if(where, end, ends_token);
    // The separator itself is the token.
    if (stop == where && where != end && (*where == ',' || *where == ' ' || *where == '\t')) ++stop;
    if (stop == where) return where == end ? "the end of the file" : "the end of the line";
    return in_quotes({where, static_cast<std::size_t>(stop - where)});
}

}  // namespace

std::string in_quotes(std::string_view text)
{
    constexpr std::size_t most_shown = 40;
    std::string shown = "'";
    for (const char c : text.substr(0, most_shown)) {
        if (c >= ' ' && c <= '~') {
            shown += c;
        } else {
            constexpr std::string_view digits = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            shown += "\\x";
            shown += digits[byte >> 4U];
            shown += digits[byte & 15U];
        }
    }
    return shown + (text.size() > most_shown ? "...'" : "'");
}

void fail_at(std::string_view path, TextPlace place, const std::string& expected, const std::string& found)
{
    throw InputError(std::string(path) + ':' + std::to_string(place.line) + ':' + std::to_string(place.column) +
                     ": expected " + expected + ", found " + found);
}

long line_number(const NamedText& input, const char* where)
{
    return 1 + static_cast<long>(std::count(input.begin(), where, '\n'));
}

void report(const NamedText& input, const ParseFailure& failure)
{
    const char* line = failure.where;
    while (line != input.begin() && line[-1] != '\n') --line;
    fail_at(input.name, {line_number(input, failure.where), static_cast<long>(failure.where - line) + 1},
            failure.expected, failure.found.empty() ? quote_token(failure.where, input.end()) : failure.found);
}

}  // namespace wayfront::io
