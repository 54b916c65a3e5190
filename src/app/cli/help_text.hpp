// The layout of help texts.
#pragma once

#include <string>
#include <string_view>

namespace wayfront::app {

/// The number of columns that help may use: the width of the terminal if standard output is one,
/// but at most 100; 100 if standard output is not a terminal.
unsigned help_columns();

/// Breaks the lines of `text` that are longer than `columns`, and removes trailing blanks. The rest
/// of a broken line is indented like its beginning, or to the second column if the line is a row of
/// a table (has two blanks or more inside).
std::string wrapped(std::string_view text, unsigned columns);

}  // namespace wayfront::app
