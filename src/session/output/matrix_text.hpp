// A matrix as text, in a .csv file, or as a table of its pairs, in a .parquet file.
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

/// Whether the file is made from the numbers at the end: it is text or .parquet.
[[nodiscard]] bool is_made_at_end(const std::string& path);

/// The most bytes that a matrix takes as text.
[[nodiscard]] double text_bytes(const MatrixShape& shape, MatrixContent content, algo::DistanceType type);

/// The bytes that a matrix may take as .parquet, without compression.
[[nodiscard]] double table_bytes(const MatrixShape& shape);

/// Writes the file `path`, text or .parquet. read_row(i, bytes) reads the elements of row i. Throws ResourceError.
void write_matrix_at_end(const std::string& path, const MatrixShape& shape, MatrixContent content,
                         algo::DistanceType type,
                         const std::function<void(std::size_t row, std::span<std::byte> bytes)>& read_row);

}  // namespace wayfront::session
