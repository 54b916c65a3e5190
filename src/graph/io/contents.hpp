// Recognises what a file holds by its first bytes, whatever its name says.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "graph/io/file_format.hpp"

namespace wayfront::io {

/// The bytes at the beginning of a file in which the functions below look for a banner or a header.
inline constexpr std::size_t kLookedAtBytes = 4096;

/// A text without the byte order mark that spreadsheets write before it.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// The compression of the bytes that the readers unpack; none for all others.
[[nodiscard]] Compression compression_of_contents(std::string_view bytes);

/// The kind of bytes that are no text for the readers, and advice: "a ZIP archive; unpack it first";
/// empty if they may be a text.
[[nodiscard]] std::string foreign_contents(std::string_view bytes);

/// The format that a banner or a header at the beginning names; no value if there is none.
[[nodiscard]] std::optional<FileFormat> format_of_contents(std::string_view bytes);

}  // namespace wayfront::io
