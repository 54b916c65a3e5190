// "Did you mean": finds the known word that is nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wayfront::app {

/// Returns the candidate that `word` most likely means; empty if there is none. It is an option
/// that other programs call `word`, or a candidate that differs in few letters (swapped, missing,
/// wrong, or additional), or the candidate that begins with `word` and with which all others that
/// begin with `word` begin, too.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// Returns "; did you mean 'PREFIXword'?", or an empty string if no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates, std::string_view prefix = "");

}  // namespace wayfront::app
