// "Did you mean": the known word nearest to one that was mistyped.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wayfront::app {

/// The candidate that `word` most likely meant: what other programs call by that name, few letters away (swapped, missing, wrong, too many), or the
/// only one that it begins; "" for none.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'PREFIXword'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates, std::string_view prefix = "");

}  // namespace wayfront::app
