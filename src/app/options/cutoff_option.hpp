// The largest distance that searches find, as an option: --cutoff, --within.
#pragma once

#include <string>
#include <string_view>

#include "session/sssp/sssp_searches.hpp"

namespace wayfront::app {

/// Whole numbers keep all of their 64 bits. Throws InputError, which names the option, unless `text` is
/// a finite number from 0 on.
[[nodiscard]] algo::Cutoff parse_cutoff(std::string_view name, std::string_view text);

[[nodiscard]] std::string in_words(const algo::Cutoff& cutoff);

}  // namespace wayfront::app
