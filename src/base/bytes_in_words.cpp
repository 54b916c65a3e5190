#include "base/bytes_in_words.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace wayfront {

std::string bytes_in_words(double bytes)
{
    constexpr std::array units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f %s", unit == 0 ? 0 : 1, bytes, units[unit]);
    return text.data();
}

}  // namespace wayfront
