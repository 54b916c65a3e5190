#include "graph/io/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <system_error>
#include <type_traits>

namespace wayfront::io {

namespace {

template <typename Real>
constexpr std::string_view kRealWanted = sizeof(Real) == sizeof(float)
                                             ? "a weight that is a finite number up to 3.4e38"
                                             : "a weight that is a finite number up to 1.7e308";

std::string integer_wanted(std::int64_t least, std::int64_t most, std::string_view what)
{
    return std::string(what) + " from " + std::to_string(least) + " to " + std::to_string(most);
}

/// The number behind a plus sign, which std::from_chars does not read.
std::string_view without_plus(std::string_view text)
{
    const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
    return plus ? text.substr(1) : text;
}

/// A number as std::from_chars reads it: without a plus sign, and with `e` where Fortran writes `d`.
std::string number_of_c(std::string_view text)
{
    std::string number(without_plus(text));
    std::ranges::replace_if(
        number, [](char c) { return c == 'd' || c == 'D'; }, 'e');
    return number;
}

/// The digits of a number without its exponent, from the first to the last that is not 0.
std::string significant_digits(std::string_view number)
{
    std::string digits(number.substr(0, number.find_first_of("eE")));
    std::erase_if(digits, [](char c) { return !is_digit(c); });
    digits.erase(0, digits.find_first_not_of('0'));
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits;
}

}  // namespace

template <typename Real>
bool loses_digits(std::string_view text)
{
    const std::string number = number_of_c(text);
    Real value = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), value).ec != std::errc{}) return false;
    const std::string digits = significant_digits(number);
    constexpr std::size_t longest = 800;  // the digits of every double end before
    if (digits.empty() || digits.size() > longest) return !digits.empty();
    std::array<char, longest + 16> written{};
    char* const end = written.data() + written.size();
    // Most numbers that were written by a program are the shortest ones for their value.
    const char* stop = std::to_chars(written.data(), end, value, std::chars_format::scientific).ptr;
    if (significant_digits({written.data(), stop}) == digits) return false;
    stop = std::to_chars(written.data(), end, value, std::chars_format::scientific, static_cast<int>(digits.size()) - 1)
               .ptr;
    return significant_digits({written.data(), stop}) != digits;
}
template bool loses_digits<float>(std::string_view text);
template bool loses_digits<double>(std::string_view text);

std::string lower(std::string_view text)
{
    std::string copy(text);
    std::ranges::transform(copy, copy.begin(),
                           [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return copy;
}

bool looks_real(std::string_view token)
{
    return token.find_first_of(".eEdDnN") != std::string_view::npos;
}

std::string_view without_blanks(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool begins_as_name(std::string_view text)
{
    if (text.empty()) return false;
    const auto first = static_cast<unsigned char>(text.front());
    return first >= 0x80 || first == '_' || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

bool looks_whole(std::string_view token)
{
    if (token.starts_with('+') || token.starts_with('-')) token.remove_prefix(1);
    return !token.empty() && std::ranges::all_of(token, is_digit);
}

std::string_view Line::word()
{
    at_end();
    if (p_ != end_ && *p_ == '"') {
        const char* const quote = std::find(p_ + 1, end_, '"');
        const char* const behind = quote == end_ ? end_ : quote + 1;
        if (quote != end_ && (behind == end_ || is_separator(*behind))) {
            const std::string_view inside(p_ + 1, static_cast<std::size_t>(quote - p_ - 1));
            p_ = behind;
            may_skip_comma_ = true;
            return inside;
        }
    }
    const char* const first = p_;
    p_ = std::find_if(p_, end_, is_separator);
    may_skip_comma_ = p_ != first;
    return {first, static_cast<std::size_t>(p_ - first)};
}

std::int64_t Line::careful_integer(std::int64_t least, std::int64_t most, std::string_view what, WholeForm form)
{
    const std::string_view text = word();
    const std::string_view number = without_plus(text);
    const char* const end = number.data() + number.size();
    std::int64_t value = 0;
    auto [stop, error] = std::from_chars(number.data(), end, value);
    if (form == WholeForm::decimal && stop != end && *stop == '.')
        stop = std::find_if(stop + 1, end, [](char c) { return c != '0'; });
    if (error != std::errc{} || stop != end || value < least || value > most)
        throw ParseFailure{text.data(), integer_wanted(least, most, what), {}};
    return value;
}

std::int64_t Line::long_weight()
{
    return integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
                   "a whole weight");
}

template <typename Real>
Real Line::real_weight()
{
    const std::string_view text = word();
    const std::string number = number_of_c(text);
    const char* const end = number.data() + number.size();
    Real value = 0;
    auto [stop, error] = std::from_chars(number.data(), end, value);
    // The number is too large or too small; those that are nearly zero are rounded.
    if (error == std::errc::result_out_of_range) {
        if constexpr (std::is_same_v<Real, float>)
            value = std::strtof(number.c_str(), nullptr);
        else
            value = std::strtod(number.c_str(), nullptr);
        error = {};
        if (value == 0 && stop == end)
            throw ParseFailure{text.data(),
                               std::string("a weight that is not rounded to 0") +
                                   (sizeof(Real) == sizeof(float) ? " (--precision double has smaller ones)" : ""),
                               {}};
    }
    if (error != std::errc{} || stop != end || !std::isfinite(value))
        throw ParseFailure{text.data(), std::string(kRealWanted<Real>), {}};
    return value;
}
template float Line::real_weight<float>();
template double Line::real_weight<double>();

void Line::skip_number(std::string_view what)
{
    const std::string_view text = word();
    const std::string_view number = without_plus(text);
    double value = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc::invalid_argument || stop != number.data() + number.size())
        throw ParseFailure{text.data(), std::string(what), {}};
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
