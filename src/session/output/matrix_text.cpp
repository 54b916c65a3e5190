#include "session/output/matrix_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/host_buffer.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"
#include "session/output/array_text.hpp"
#include "session/output/parquet_table.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::session {

namespace {

/// Parents have the input's numbers or, if it has names, those of the edge list.
template <typename T>
void append_element(std::string& text, T value, MatrixContent content, VertexNumbers numbers)
{
    if (content == MatrixContent::distances && value == unreached<T>())
        text += "inf";
    else if (content == MatrixContent::parents && numbers.names() != nullptr)
        append_vertex(text, numbers, static_cast<Vertex>(value), NameForm::csv);
    else
        append_number(text, value);
}

std::string text_header(const MatrixShape& shape, MatrixContent content)
{
    if (shape.long_form)
        return content == MatrixContent::distances ? "source,target,distance\n" : "source,target,predecessor\n";
    std::string text = "source";
    for (std::size_t column = 0; column < shape.columns(); ++column) {
        text += ',';
        append_vertex(text, shape.numbers, shape.vertex_of_column(column), NameForm::csv);
    }
    return text + '\n';
}

using ReadRow = std::function<void(std::size_t row, std::span<std::byte> bytes)>;

/// A row of the table for each pair.
template <typename T>
class PairTable
{
public:
    PairTable(const MatrixShape& shape, MatrixContent content)
        : shape_(shape),
          content_(content),
          table_({{"source", ParquetType::vertices},
                  {"target", ParquetType::vertices},
                  content == MatrixContent::parents ? ParquetColumn{"predecessor", type_of_parents()}
                  : std::is_floating_point_v<T>     ? ParquetColumn{"distance", ParquetType::real}
                                                    : ParquetColumn{"distance", ParquetType::whole}},
                 shape.numbers)
    {
    }

    void write(const ReadRow& read_row, OutputFile& file)
    {
        HostBuffer<T> row(shape_.columns());
        for (std::size_t i = 0; i < shape_.sources.size(); ++i) {
            read_row(i, std::as_writable_bytes(row.span()));
            for (std::size_t column = 0; column < row.size(); ++column) {
                table_.append_vertex(0, shape_.sources[i]);
                table_.append_vertex(1, shape_.vertex_of_column(column));
                append(row[column]);
                file.write(table_.end_row());
            }
        }
        file.write(table_.finish());
    }

private:
    /// Parents have the input's numbers already, or names.
    [[nodiscard]] ParquetType type_of_parents() const
    {
        return shape_.numbers.names() != nullptr ? ParquetType::vertices : ParquetType::whole;
    }
    void append(T value)
    {
        const bool is_parent = content_ == MatrixContent::parents;
        if (is_parent ? value == static_cast<T>(algo::kNoParent) : value == unreached<T>())
            table_.append_null(2);
        else if (is_parent && type_of_parents() == ParquetType::vertices)
            table_.append_vertex(2, static_cast<Vertex>(value));
        else if constexpr (std::is_floating_point_v<T>)
            table_.append_real(2, value);
        else
            table_.append_whole(2, value);
    }

    const MatrixShape& shape_;
    MatrixContent content_;
    ParquetTable table_;
};

/// Calls f(T{}) for the type of the elements.
template <typename F>
void with_element_type(const MatrixShape& shape, MatrixContent content, algo::DistanceType type, const F& f)
{
    if (content == MatrixContent::distances)
        algo::with_distance_type(type, f);
    else if (shape.wide_parents())
        f(std::int64_t{});
    else
        f(std::int32_t{});
}

}  // namespace

bool is_made_at_end(const std::string& path)
{
    return is_text(path) || is_parquet(path);
}

double table_bytes(const MatrixShape& shape)
{
    constexpr double value_bytes = 8;
    constexpr double source_bytes = 1;  // repeated numbers are short
    constexpr double length_bytes = 4;
    const double vertex_bytes =
        shape.numbers.names() == nullptr
            ? sizeof(Vertex)
            : length_bytes + static_cast<double>(most_vertex_bytes(shape.numbers, shape.vertices));
    return shape.elements() * (value_bytes + source_bytes + vertex_bytes);
}

bool is_text(const std::string& path)
{
    return ends_with_any_case(path, ".csv") || is_standard_output(path);
}

double text_bytes(const MatrixShape& shape, MatrixContent content, algo::DistanceType type)
{
    const auto digits = [](double number) { return std::floor(std::log10(std::max(1.0, number))) + 1; };
    constexpr double longest_float32 = 15;  // -1.17549435e-38
    constexpr double longest_float64 = 24;  // -2.2250738585072014e-308
    const double of_parent = static_cast<double>(most_vertex_bytes(shape.numbers, shape.vertices));
    double longest = std::max(of_parent, 2.0);  // -1
    if (content == MatrixContent::distances) {
        const double of_float = type == algo::DistanceType::float32 ? longest_float32 : longest_float64;
        const bool whole = is_whole(type) || shape.most_distance > 0;
        const double most =
            is_whole(type) ? std::min(shape.most_distance, most_whole_distance(type)) : shape.most_distance;
        longest = whole ? std::min(of_float, 1 + digits(most)) : of_float;
        longest = std::max(longest, 3.0);  // inf
    }
    const auto rows = static_cast<double>(shape.sources.size());
    constexpr double separators = 2;
    constexpr double long_header = 32;
    if (shape.long_form) return shape.elements() * (longest + 1 + 2 * (of_parent + 1)) + long_header;
    return shape.elements() * (longest + 1) + (rows + static_cast<double>(shape.columns())) * (of_parent + separators);
}

void write_matrix_at_end(const std::string& path, const MatrixShape& shape, MatrixContent content,
                         algo::DistanceType type, const ReadRow& read_row)
{
    OutputFile file(path);
    if (is_parquet(path)) {
        with_element_type(shape, content, type,
                          [&]<typename T>(T) { PairTable<T>(shape, content).write(read_row, file); });
        file.commit();
        return;
    }
    std::string text = text_header(shape, content);
    const auto write_rows = [&]<typename T>(T) {
        HostBuffer<T> row(shape.columns());
        for (std::size_t i = 0; i < shape.sources.size(); ++i) {
            read_row(i, std::as_writable_bytes(row.span()));
            std::string source;
            append_vertex(source, shape.numbers, shape.sources[i], NameForm::csv);
            if (shape.long_form) {
                for (std::size_t column = 0; column < row.size(); ++column) {
                    text += source;
                    text += ',';
                    append_vertex(text, shape.numbers, shape.vertex_of_column(column), NameForm::csv);
                    text += ',';
                    append_element(text, row[column], content, shape.numbers);
                    text += '\n';
                }
            } else {
                text += source;
                for (const T element : row) {
                    text += ',';
                    append_element(text, element, content, shape.numbers);
                }
                text += '\n';
            }
            file.write(text);
            text.clear();
        }
    };
    with_element_type(shape, content, type, write_rows);
    file.write(text);
    file.commit();
}

}  // namespace wayfront::session
