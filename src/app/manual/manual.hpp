// `wayfront manual`: the manual pages, the completions for shells, and the options as a page in
// Markdown. The build writes them to files with it, and the installation contains them.
#pragma once

#include <span>
#include <string>

namespace wayfront::app {

/// The text that `wayfront manual WORDS...` prints: the page that the only word names, or, without
/// a word, the names of all pages, one per line. Throws InputError.
[[nodiscard]] std::string manual_text(std::span<const std::string> words);

}  // namespace wayfront::app
