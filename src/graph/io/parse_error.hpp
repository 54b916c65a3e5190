// Errors in text files, with the place where they are.
//
// Parsers throw ParseFailure, which points into the text; report() turns it into the message for a user,
//     path:line:column: expected ..., found '...'
// Lines and columns count from 1. Nobody counts lines while all is well: report() counts them from the start of the file.
#pragma once

#include <string>
#include <string_view>

namespace wayfront::io {

/// Something in a text was not what the format wants.
struct ParseFailure
{
    const char* where;     // into the text, or its end
    std::string expected;  // "a vertex from 1 to 7"
    std::string found;     // empty: the token at `where`; otherwise the whole rest of the message after "found "
};

/// A text and what to call it in messages.
struct NamedText
{
    std::string_view text;
    std::string_view name;

    [[nodiscard]] const char* begin() const { return text.data(); }
    [[nodiscard]] const char* end() const { return text.data() + text.size(); }
};

/// The number of the line in which `where` lies, from 1.
long line_number(const NamedText& input, const char* where);

/// Throws the InputError for a failure.
[[noreturn]] void report(const NamedText& input, const ParseFailure& failure);

}  // namespace wayfront::io
