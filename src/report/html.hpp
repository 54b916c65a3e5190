// Texts and numbers of an HTML page.
#pragma once

#include <string>
#include <string_view>

namespace wayfront::report {

/// `text` for any place in a page: what has a meaning in HTML is escaped, control characters and
/// bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string escaped(std::string_view text);

/// `number` with three digits, a prefix and the unit: "1.23 ms", "45.6 G edges/s". A number of 0 has
/// no prefix.
[[nodiscard]] std::string with_unit(double number, std::string_view unit);

/// The same as HTML; the element has the number in full as its value.
[[nodiscard]] std::string data_with_unit(double number, std::string_view unit);

/// A cell of a table with a number, which is HTML.
[[nodiscard]] std::string number_cell(std::string_view number);

/// A whole page of these sections, which are HTML.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view sections);

}  // namespace wayfront::report
