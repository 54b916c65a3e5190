#include "graph/io/parse_error.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace wayfront::io {

namespace {

constexpr std::ptrdiff_t kMostShown = 40;

bool ends_token(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == '\n' || c == '\r';
}

/// The token at `where` for a message on a terminal: long tokens are cut, and bytes that are not
/// printable are written as \xNN.
std::string quote_token(const char* where, const char* end)
{
    const char* stop = std::find_if(where, end, ends_token);
    // The separator itself is the token.
    if (stop == where && where != end && (*where == ',' || *where == ' ' || *where == '\t')) ++stop;
    if (stop == where) return where == end ? "the end of the file" : "the end of the line";
    const bool cut = stop - where > kMostShown;
    std::string shown = "'";
    for (const char c : std::string_view(where, static_cast<std::size_t>(cut ? kMostShown : stop - where))) {
        if (c >= ' ' && c <= '~') {
            shown += c;
        } else {
            constexpr std::string_view kDigits = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            shown += "\\x";
            shown += kDigits[byte >> 4U];
            shown += kDigits[byte & 15U];
        }
    }
    return shown + (cut ? "...'" : "'");
}

}  // namespace

long line_number(const NamedText& input, const char* where)
{
    return 1 + static_cast<long>(std::count(input.begin(), where, '\n'));
}

void report(const NamedText& input, const ParseFailure& failure)
{
    const char* line = failure.where;
    while (line != input.begin() && line[-1] != '\n') --line;
    std::string message(input.name);
    message += ':' + std::to_string(line_number(input, failure.where)) + ':' + std::to_string(failure.where - line + 1);
    message += ": expected " + failure.expected + ", found ";
    message += failure.found.empty() ? quote_token(failure.where, input.end()) : failure.found;
    throw InputError(message);
}

}  // namespace wayfront::io
