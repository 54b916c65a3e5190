// Words of a command line as a shell reads them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wayfront::app {

/// `text` in single quotes.
[[nodiscard]] std::string in_shell_quotes(std::string_view text);

/// The words as one line that a shell splits into the same words; words of letters, digits and a few
/// other characters are not quoted.
[[nodiscard]] std::string as_shell_line(std::span<const std::string> words);

}  // namespace wayfront::app
