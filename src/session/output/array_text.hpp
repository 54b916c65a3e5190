// Pieces of the text and of the headers of files that hold arrays of numbers.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "algo/apsp/distance_type.hpp"

namespace wayfront::session {

/// Appends the shortest text that is read as the same number.
template <typename T>
void append_number(std::string& text, T value)
{
    std::array<char, 32> digits;  // more than any 64-bit number has
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

/// NumPy's name of a type of distances, such as "<i4".
[[nodiscard]] const char* npy_type(algo::DistanceType type);

/// An array as NumPy writes it in Python's syntax.
struct NpyArray
{
    std::string type;   // "'<i4'", or a list of fields "[('name', '<i4'), ...]"
    std::string shape;  // "(3,)", "(3, 4)"
};

/// An array of one dimension. `type`: "<i4", ...
[[nodiscard]] NpyArray npy_list(std::string_view type, std::uint64_t count);

/// The header of an array in NumPy's format, version 1.0: magic, length of the rest, and a
/// description, padded so that the elements begin at a multiple of 64.
[[nodiscard]] std::string npy_header(const NpyArray& array);

/// The header of a rows x columns array. `type`: "<i4", ...
[[nodiscard]] std::string npy_header(std::string_view type, std::uint64_t rows, std::uint64_t columns);

}  // namespace wayfront::session
