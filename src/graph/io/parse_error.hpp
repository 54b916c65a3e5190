// Errors in text files, with their places.
//
// Parsers throw ParseFailure, which points into the text; report() turns it into the message for a
// user,
//     path:line:column: expected ..., found '...'
// Lines and columns count from 1. Parsers do not count lines: report() counts them from the start
// of the file.
#pragma once

#include <string>
#include <string_view>

namespace wayfront::io {

/// A part of a text that does not agree with the format.
struct ParseFailure
{
    const char* where;     // into the text, or its end
    std::string expected;  // "a vertex from 1 to 7"
    // Empty: the token at `where`; otherwise the rest of the message after "found ".
    std::string found;
};

/// A text and its name in messages.
struct NamedText
{
    std::string_view text;
    std::string_view name;

    [[nodiscard]] const char* begin() const { return text.data(); }
    [[nodiscard]] const char* end() const { return text.data() + text.size(); }
};

/// The number of the line that contains `where`, from 1.
long line_number(const NamedText& input, const char* where);

/// Throws an InputError that describes the failure.
[[noreturn]] void report(const NamedText& input, const ParseFailure& failure);

}  // namespace wayfront::io
