// Reading numbers from text: the careful way, which names every fault, and the fast way, which gives up at the least surprise.
//
// The fast functions look at eight bytes at a time and may read bytes behind the number; the caller sees to it that these exist. The careful ones
// (Line) stay within one line.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/types.hpp"
#include "graph/io/parse_error.hpp"

namespace wayfront::io {

static_assert(std::endian::native == std::endian::little, "the digit tricks and the binary formats want a little-endian machine");

inline bool is_digit(char c)
{
    return static_cast<unsigned char>(c - '0') < 10;
}

/// Between two numbers of a line: blanks, tabs, commas.
inline bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',';
}

/// The eight bytes at `p`, the first in the lowest byte.
inline std::uint64_t load8(const char* p)
{
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

/// How many of the eight bytes in `word` are digits before the first that is not: 0 to 8. `values` is word ^ "00000000".
///
/// A byte of `values` is above 9 just if adding 0x76 sets its top bit, or it had it set. Such a sum may carry into the byte above, but only bytes
/// behind the first non-digit see that.
inline unsigned leading_digits(std::uint64_t values)
{
    const std::uint64_t beyond = ((values + 0x7676767676767676U) | values) & 0x8080808080808080U;
    auto digits = static_cast<unsigned>(std::countr_zero(beyond)) / 8;
    // Hides from the compiler that 8 is special (the count of no set bit): it would make a branch of it, which numbers of 7 and 8 digits mispredict.
    asm("" : "+r"(digits));
    return digits;
}

/// The number that the lowest `digits` bytes of `values` spell; 1 <= digits <= 8. Three multiplications: digits to pairs, pairs to fours, fours
/// to all eight.
inline std::uint64_t digits_to_number(std::uint64_t values, unsigned digits)
{
    values <<= (0U - 8 * digits) % 64;  // leading zeroes
    values = values * 10 + (values >> 8);
    constexpr std::uint64_t kPairs = 0x000000FF000000FFU;
    return ((values & kPairs) * (100 + (1000000ULL << 32)) + ((values >> 16) & kPairs) * (1 + (10000ULL << 32))) >> 32;
}

/// How far fast_number looks.
inline constexpr std::ptrdiff_t kFastNumberBytes = 17;

/// Reads 1 to 16 digits at `p` and moves behind them. False (p anywhere) at no digit or more than 16.
inline bool fast_number(const char*& p, std::uint64_t& number)
{
    const std::uint64_t values = load8(p) ^ 0x3030303030303030U;
    const unsigned digits = leading_digits(values);
    if (digits == 0) [[unlikely]]
        return false;
    number = digits_to_number(values, digits);
    p += digits;
    if (is_digit(*p)) [[unlikely]] {  // only behind eight; asked without them, so that numbers of 7 and 8 digits take the same branches
        constexpr std::uint64_t kPowersOfTen[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
        const std::uint64_t more_values = load8(p) ^ 0x3030303030303030U;
        const unsigned more = leading_digits(more_values);
        number = number * kPowersOfTen[more] + digits_to_number(more_values, more);
        p += more;
        if (more == 8 && is_digit(*p)) return false;
    }
    return true;
}

/// One line of text, read token by token. Every function throws ParseFailure that points at the token it did not like.
class Line
{
public:
    Line() = default;
    /// The line that starts at `begin`, without its end ("\n", "\r\n" or the end of the text).
    Line(const char* begin, const char* text_end) : begin_(begin), p_(begin), text_end_(text_end)
    {
        const void* newline = begin == text_end ? nullptr : std::memchr(begin, '\n', static_cast<std::size_t>(text_end - begin));
        next_ = newline == nullptr ? text_end : static_cast<const char*>(newline) + 1;
        end_ = newline == nullptr ? text_end : next_ - 1;
        if (end_ != begin && end_[-1] == '\r') --end_;
    }

    [[nodiscard]] const char* line_begin() const { return begin_; }
    [[nodiscard]] const char* where() const { return p_; }
    [[nodiscard]] const char* next_line() const { return next_; }

    /// The line from where() on.
    [[nodiscard]] std::string_view rest() const { return {p_, static_cast<std::size_t>(end_ - p_)}; }

    /// Skips blanks, tabs and one comma between two tokens; true if nothing follows. A comma with no token before or after it remains, to
    /// be complained about.
    bool at_end()
    {
        skip_blanks();
        if (p_ == end_) return true;
        if (*p_ == ',' && may_skip_comma_) {
            const char* const comma = p_++;
            skip_blanks();
            if (p_ == end_) p_ = comma;
            may_skip_comma_ = false;
        }
        return false;
    }

    /// Takes the next token, up to a separator or the line's end; empty at the end.
    std::string_view word();

    /// Takes a whole number from `least` to `most`; `what` names it: "a vertex".
    std::int64_t integer(std::int64_t least, std::int64_t most, std::string_view what)
    {
        at_end();
        if (text_end_ - p_ >= kFastNumberBytes) {
            const char* q = p_;
            std::uint64_t number = 0;
            if (fast_number(q, number) && (q == end_ || is_separator(*q))) {
                const auto value = static_cast<std::int64_t>(number);  // below 10^16
                if (value >= least && value <= most) {
                    p_ = q;
                    may_skip_comma_ = true;
                    return value;
                }
            }
        }
        return careful_integer(least, most, what);
    }

    /// Takes a weight: a 32-bit integer, or a finite float.
    std::int32_t integer_weight();
    float float_weight();

    /// Takes a number of any kind and forgets it; `what` names it.
    void skip_number(std::string_view what);

    /// The line must end here.
    void expect_end();

private:
    void skip_blanks()
    {
        while (p_ != end_ && (*p_ == ' ' || *p_ == '\t')) ++p_;
    }
    std::int64_t careful_integer(std::int64_t least, std::int64_t most, std::string_view what);

    const char* begin_ = nullptr;
    const char* p_ = nullptr;
    const char* end_ = nullptr;
    const char* next_ = nullptr;
    const char* text_end_ = nullptr;
    bool may_skip_comma_ = false;  // a token was taken, and no comma since
};

/// The first line at or behind `p` that is neither empty nor starts with one of `comments`, with its leading separators skipped; at the end of the
/// text, an empty line there.
Line next_content_line(const NamedText& input, const char* p, std::string_view comments);

/// True for a token that a reader of edge lists takes as a real number: digits with a point or an exponent, inf or nan. No promise that it is one.
bool looks_real(std::string_view token);

}  // namespace wayfront::io
