// Estimated times, formatted for messages.
#pragma once

#include <string>

namespace wayfront::plan {

/// For example "12 us", "30 ms", "1.5 s".
[[nodiscard]] std::string seconds_in_words(double seconds);

}  // namespace wayfront::plan
