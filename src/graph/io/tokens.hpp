// Reads numbers from text. The careful functions name every fault, the fast functions give up at
// unusual text.
//
// The fast functions read eight bytes at a time and may read bytes after the number; the caller
// ensures that these bytes exist. The careful functions (Line) stay within one line.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/types.hpp"
#include "graph/io/parse_error.hpp"

namespace wayfront::io {

static_assert(std::endian::native == std::endian::little,
              "parsing digits and the binary formats need a little-endian machine");

inline bool is_digit(char c)
{
    return static_cast<unsigned char>(c - '0') < 10;
}

/// Whether `c` may separate two numbers of a line: blank, tab, comma.
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

/// The number of digits at the beginning of the eight bytes of a word: 0 to 8. `values` is word ^
/// "00000000".
///
/// A byte of `values` is above 9 if and only if its top bit is set, or becomes set when 0x76 is
/// added. Such a sum may carry into the next byte, but that affects only bytes after the first one
/// that is not a digit.
inline unsigned leading_digits(std::uint64_t values)
{
    const std::uint64_t beyond = ((values + 0x7676767676767676U) | values) & 0x8080808080808080U;
    auto digits = static_cast<unsigned>(std::countr_zero(beyond)) / 8;
    // Hides from the compiler that 8 is a special case (the count if no bit is set): the compiler
    // would make it a branch, which numbers of 7 and 8 digits mispredict.
    asm("" : "+r"(digits));
    return digits;
}

/// The number that the lowest `digits` bytes of `values` represent; 1 <= digits <= 8. Three
/// multiplications combine digits to pairs, pairs to groups of four, and these to the number.
inline std::uint64_t digits_to_number(std::uint64_t values, unsigned digits)
{
    values <<= (0U - 8 * digits) % 64;  // leading zeroes
    values = values * 10 + (values >> 8);
    constexpr std::uint64_t kPairs = 0x000000FF000000FFU;
    return ((values & kPairs) * (100 + (1000000ULL << 32)) + ((values >> 16) & kPairs) * (1 + (10000ULL << 32))) >> 32;
}

/// The largest number of bytes that fast_number reads.
inline constexpr std::ptrdiff_t kFastNumberBytes = 17;

/// Reads 1 to 16 digits at `p` and moves `p` behind them. Returns false if there is no digit or if
/// there are more than 16; `p` is then undefined.
inline bool fast_number(const char*& p, std::uint64_t& number)
{
    const std::uint64_t values = load8(p) ^ 0x3030303030303030U;
    const unsigned digits = leading_digits(values);
    if (digits == 0) [[unlikely]]
        return false;
    number = digits_to_number(values, digits);
    p += digits;
    // Only true after eight digits. Their number is not tested, so that numbers of 7 and 8 digits
    // take the same branches.
    if (is_digit(*p)) [[unlikely]] {
        constexpr std::uint64_t kPowersOfTen[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
        const std::uint64_t more_values = load8(p) ^ 0x3030303030303030U;
        const unsigned more = leading_digits(more_values);
        number = number * kPowersOfTen[more] + digits_to_number(more_values, more);
        p += more;
        if (more == 8 && is_digit(*p)) return false;
    }
    return true;
}

/// One line of text, read token by token. Every function throws a ParseFailure that points at the
/// faulty token.
class Line
{
public:
    Line() = default;
    /// The line that starts at `begin`, without its end ("\n", "\r\n" or the end of the text).
    Line(const char* begin, const char* text_end) : begin_(begin), p_(begin), text_end_(text_end)
    {
        const void* newline =
            begin == text_end ? nullptr : std::memchr(begin, '\n', static_cast<std::size_t>(text_end - begin));
        next_ = newline == nullptr ? text_end : static_cast<const char*>(newline) + 1;
        end_ = newline == nullptr ? text_end : next_ - 1;
        if (end_ != begin && end_[-1] == '\r') --end_;
    }

    [[nodiscard]] const char* line_begin() const { return begin_; }
    [[nodiscard]] const char* where() const { return p_; }
    [[nodiscard]] const char* next_line() const { return next_; }

    /// The rest of the line, beginning at where().
    [[nodiscard]] std::string_view rest() const { return {p_, static_cast<std::size_t>(end_ - p_)}; }

    /// Skips blanks, tabs and one comma between two tokens; returns true if nothing follows. A
    /// comma without a token before or after it remains, so that it is reported.
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

    /// Reads the next token, up to a separator or the end of the line; empty at the end. Double
    /// quotes around a token are left out.
    std::string_view word();

    /// How a whole number may be written: only with digits, or also as "15.0" or "15.".
    enum class WholeForm { digits, decimal };

    /// Reads a whole number from `least` to `most`; `what` is its name in messages: "a vertex".
    std::int64_t integer(std::int64_t least, std::int64_t most, std::string_view what,
                         WholeForm form = WholeForm::digits)
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
        return careful_integer(least, most, what, form);
    }

    /// Reads a weight: a whole number of 64 bits, or a finite number of type float or double.
    std::int64_t long_weight();
    template <typename Real>
    Real real_weight();

    /// Reads a number of any kind and ignores it; `what` is its name in messages.
    void skip_number(std::string_view what);

    /// Throws if another token follows.
    void expect_end();

private:
    void skip_blanks()
    {
        while (p_ != end_ && (*p_ == ' ' || *p_ == '\t')) ++p_;
    }
    std::int64_t careful_integer(std::int64_t least, std::int64_t most, std::string_view what, WholeForm form);

    const char* begin_ = nullptr;
    const char* p_ = nullptr;
    const char* end_ = nullptr;
    const char* next_ = nullptr;
    const char* text_end_ = nullptr;
    bool may_skip_comma_ = false;  // whether a token was read, and no comma after it
};

/// The first line at or after `p` that is not empty and does not begin with one of `comments`; its
/// leading separators are skipped. At the end of the text, an empty line.
Line next_content_line(const NamedText& input, const char* p, std::string_view comments);

/// A copy in lower case.
[[nodiscard]] std::string lower(std::string_view text);

/// Whether a reader of edge lists treats a token as a real number: digits with a point or an
/// exponent, inf or nan. The token need not be a valid number.
bool looks_real(std::string_view token);

/// A text without the blanks and ends of lines around it.
std::string_view without_blanks(std::string_view text);

/// Whether a text begins with a letter, an underscore, or a byte of a character beyond ASCII, as
/// names do and numbers do not.
bool begins_as_name(std::string_view text);

/// Whether a token consists of digits, and perhaps a sign before them.
bool looks_whole(std::string_view token);

/// Whether a number has digits that a Real does not keep: the nearest Real, written with as many
/// digits, is another number. `text` is a number as Line::real_weight reads it, or a whole number.
template <typename Real>
bool loses_digits(std::string_view text);

/// Whether a number may lose digits (loses_digits): false if it is empty or has at most 7 or
/// 15 of them.
template <typename Real>
inline bool may_lose_digits(std::string_view number)
{
    constexpr std::size_t most_digits = sizeof(Real) == sizeof(float) ? 7 : 15;
    number.remove_prefix(number.starts_with('-') ? 1 : 0);
    number.remove_prefix(number.starts_with('0') ? 1 : 0);
    if (number.size() <= most_digits) return false;
    return number.size() > most_digits + 1 || number.find('.') == std::string_view::npos;
}

}  // namespace wayfront::io
