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

/// A place in a text, both counted from 1.
struct TextPlace
{
    long line = 1;
    long column = 1;
};

/// The beginning of a text for a message on a terminal, in quotes: long texts are cut, and bytes that
/// are not printable are written as \xNN.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Throws InputError: "path:line:column: expected ..., found ...".
[[noreturn]] void fail_at(std::string_view path, TextPlace place, const std::string& expected,
                          const std::string& found);

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
