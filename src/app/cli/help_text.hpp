// The layout of help texts.
#pragma once

#include <string>
#include <string_view>

namespace wayfront::app {

/// The columns that help may use: the width of the terminal that standard output is, at most 100;
/// 100 if it is not a terminal.
unsigned help_columns();

/// Breaks the lines of `text` that are longer than `columns`, and removes trailing blanks. The rest of
/// a broken line is indented as its beginning, or to the second column of a table if the line has one
/// (two blanks or more inside the line).
std::string wrapped(std::string_view text, unsigned columns);

}  // namespace wayfront::app
