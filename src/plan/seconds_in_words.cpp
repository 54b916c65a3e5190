#include "plan/seconds_in_words.hpp"

#include <fmt/format.h>

namespace wayfront::plan {

std::string seconds_in_words(double seconds)
{
    constexpr double microsecond = 1e-6;
    constexpr double millisecond = 1e-3;
    constexpr double many_seconds = 10;
    if (seconds < microsecond) return "less than 1 us";
    if (seconds < millisecond) return fmt::format("{:.0f} us", seconds / microsecond);
    if (seconds < 1) return fmt::format("{:.0f} ms", seconds / millisecond);
    return seconds < many_seconds ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
}

}  // namespace wayfront::plan
