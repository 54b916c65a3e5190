// A table as a file of Apache Parquet's format, by Apache Arrow's library. Rows are gathered in groups;
// the bytes of the file are returned, and the caller writes them. A cell without a value is null.
//
// In a build without the library (no_parquet.cpp), require_parquet() and the constructor throw InputError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "graph/io/file_format.hpp"
#include "graph/vertex_numbers.hpp"

namespace wayfront::session {

/// Whether the extension of `path` is .parquet.
[[nodiscard]] inline bool is_parquet(const std::string& path)
{
    return ends_with_any_case(path, ".parquet");
}

/// Throws InputError if this build does not write Parquet; `option` names the option of the file.
void require_parquet(const std::string& option, const std::string& path);

/// The contents of a column: int64, float64, or vertices, which are int64 or, if the input names
/// them, strings.
enum class ParquetType { whole, real, vertices };

struct ParquetColumn
{
    std::string name;
    ParquetType type;
};

class ParquetTable
{
public:
    /// `numbers` are those of vertices.
    ParquetTable(const std::vector<ParquetColumn>& columns, VertexNumbers numbers);
    ParquetTable(const ParquetTable&) = delete;  // one file
    ParquetTable& operator=(const ParquetTable&) = delete;
    ~ParquetTable();

    // Each of these appends a cell to a column. All columns get as many cells.
    void append_null(std::size_t column);
    void append_whole(std::size_t column, std::int64_t value);
    void append_real(std::size_t column, double value);
    /// kUnreached becomes null.
    void append_vertex(std::size_t column, Vertex vertex);

    /// Ends a row. Returns the bytes of the file that are complete and were not returned before.
    [[nodiscard]] std::string end_row();
    /// Returns the other bytes of the file.
    [[nodiscard]] std::string finish();

private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::session
