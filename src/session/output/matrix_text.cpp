#include "session/output/matrix_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/host_buffer.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"
#include "session/output/array_text.hpp"
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

}  // namespace

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

void write_matrix_text(const std::string& path, const MatrixShape& shape, MatrixContent content,
                       algo::DistanceType type,
                       const std::function<void(std::size_t row, std::span<std::byte> bytes)>& read_row)
{
    OutputFile text_file(path);
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
            text_file.write(text);
            text.clear();
        }
    };
    if (content == MatrixContent::distances)
        algo::with_distance_type(type, write_rows);
    else if (shape.wide_parents())
        write_rows(std::int64_t{});
    else
        write_rows(std::int32_t{});
    text_file.write(text);
    text_file.commit();
}

}  // namespace wayfront::session
