#include "app/cli/date.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace wayfront::app {

namespace {

std::string in_digits(const std::tm& parts)
{
    std::array<char, 16> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

}  // namespace

std::string today()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::localtime_r(&now, &parts);
    return in_digits(parts);
}

std::string date_of_build()
{
    const char* const variable = std::getenv("SOURCE_DATE_EPOCH");
    if (variable == nullptr) return today();
    const std::string_view text = variable;
    std::time_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    std::tm parts{};
    if (error != std::errc{} || end != text.data() + text.size() || ::gmtime_r(&seconds, &parts) == nullptr)
        return today();
    return in_digits(parts);
}

}  // namespace wayfront::app
