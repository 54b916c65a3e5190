#include "app/cli/date.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace wayfront::app {

namespace {

std::string in_digits(const std::tm& parts, const char* format)
{
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

std::tm local_time()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::localtime_r(&now, &parts);
    return parts;
}

}  // namespace

std::string today()
{
    return in_digits(local_time(), "%Y-%m-%d");
}

std::string date_and_time()
{
    std::string text = in_digits(local_time(), "%Y-%m-%dT%H:%M:%S%z");
    if (text.size() > 2) text.insert(text.size() - 2, 1, ':');  // the zone +0100 becomes +01:00
    return text;
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
    return in_digits(parts, "%Y-%m-%d");
}

}  // namespace wayfront::app
