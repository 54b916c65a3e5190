#include "graph/io/tokens.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <system_error>
#include <type_traits>

namespace wayfront::io {

namespace {

template <typename Real>
constexpr std::string_view kRealWanted = sizeof(Real) == sizeof(float) ? "a weight that is a finite number up to 3.4e38"
                                                                       : "a weight that is a finite number up to 1.7e308";

std::string integer_wanted(std::int64_t least, std::int64_t most, std::string_view what)
{
    return std::string(what) + " from " + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

bool looks_real(std::string_view token)
{
    return token.find_first_of(".eEnN") != std::string_view::npos;
}

std::string_view Line::word()
{
    at_end();
    const char* const first = p_;
    p_ = std::find_if(p_, end_, is_separator);
    may_skip_comma_ = p_ != first;
    return {first, static_cast<std::size_t>(p_ - first)};
}

std::int64_t Line::careful_integer(std::int64_t least, std::int64_t most, std::string_view what)
{
    const std::string_view text = word();
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || stop != text.data() + text.size() || value < least || value > most)
        throw ParseFailure{text.data(), integer_wanted(least, most, what), {}};
    return value;
}

std::int32_t Line::integer_weight()
{
    constexpr auto kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(integer(kLeast, kMost, "a whole weight"));
}

std::int64_t Line::long_weight()
{
    return integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), "a whole weight");
}

template <typename Real>
Real Line::real_weight()
{
    const std::string_view text = word();
    Real value = 0;
    auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // The number is too large, which is a fault, or is rounded to zero or nearly zero, which is
    // not.
    if (error == std::errc::result_out_of_range) {
        if constexpr (std::is_same_v<Real, float>)
            value = std::strtof(std::string(text).c_str(), nullptr);
        else
            value = std::strtod(std::string(text).c_str(), nullptr);
        error = {};
    }
    if (error != std::errc{} || stop != text.data() + text.size() || !std::isfinite(value))
        throw ParseFailure{text.data(), std::string(kRealWanted<Real>), {}};
    return value;
}
template float Line::real_weight<float>();
template double Line::real_weight<double>();

void Line::skip_number(std::string_view what)
{
    const std::string_view text = word();
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::invalid_argument || stop != text.data() + text.size()) throw ParseFailure{text.data(), std::string(what), {}};
}

Line next_content_line(const NamedText& input, const char* p, std::string_view comments)
{
    for (;;) {
        Line line(p, input.end());
        const bool empty = line.at_end();
        if (line.next_line() == line.line_begin()) return line;  // the end of the text
        if (!empty && comments.find(*line.where()) == std::string_view::npos) return line;
        p = line.next_line();
    }
}

void Line::expect_end()
{
    if (!at_end()) throw ParseFailure{p_, "the end of the line", {}};
}

}  // namespace wayfront::io
