// A matrix as text, in a .csv file.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "session/output/matrix_file.hpp"

namespace wayfront::session {

/// Whether the extension of `path` is that of text.
[[nodiscard]] bool is_text(const std::string& path);

/// The most bytes that a matrix takes as text.
[[nodiscard]] double text_bytes(const MatrixShape& shape, MatrixContent content, algo::DistanceType type);

/// Writes the file `path`. read_row(i, bytes) reads the elements of row i. Throws ResourceError.
void write_matrix_text(const std::string& path, const MatrixShape& shape, MatrixContent content,
                       algo::DistanceType type,
                       const std::function<void(std::size_t row, std::span<std::byte> bytes)>& read_row);

}  // namespace wayfront::session
