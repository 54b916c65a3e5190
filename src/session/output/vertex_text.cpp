#include "session/output/vertex_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "session/output/array_text.hpp"

namespace wayfront::session {

namespace {

void append_quoted(std::string& text, std::string_view name)
{
    text += '"';
    for (const char c : name) {
        if (c == '"') text += '"';
        text += c;
    }
    text += '"';
}

std::string_view name_of(const VertexNames& names, Vertex v)
{
    return names[static_cast<std::size_t>(v)];
}

}  // namespace

void append_csv_field(std::string& text, std::string_view field)
{
    constexpr std::string_view blanks = " \t";
    const bool blank_ends = !field.empty() && (blanks.find(field.front()) != std::string_view::npos ||
                                               blanks.find(field.back()) != std::string_view::npos);
    const bool begins_comment = field.starts_with('#') || field.starts_with('%');
    if (blank_ends || begins_comment || field.find_first_of(",\"\r\n") != std::string_view::npos)
        append_quoted(text, field);
    else
        text += field;
}

void append_vertex(std::string& text, VertexNumbers numbers, Vertex v, NameForm form)
{
    if (v == kUnreached || numbers.names() == nullptr) {
        append_number(text, v == kUnreached ? v : numbers[v]);
        return;
    }
    const std::string_view name = name_of(*numbers.names(), v);
    switch (form) {
        case NameForm::csv:
            append_csv_field(text, name);
            break;
        case NameForm::json:
            text += Json(std::string(name)).dump(-1, ' ', false, Json::error_handler_t::replace);
            break;
        case NameForm::blanks:
            if (name.find_first_of(" \t\r\n,;\"#") == std::string_view::npos && !name.starts_with('%'))
                text += name;
            else
                append_quoted(text, name);
    }
}

std::string vertex_in_words(VertexNumbers numbers, Vertex v)
{
    std::string text;
    append_vertex(text, numbers, v, NameForm::blanks);
    return text;
}

std::string vertex_in_file_name(VertexNumbers numbers, Vertex v)
{
    if (numbers.names() == nullptr) return fmt::format("{}", numbers[v]);
    std::string text;
    for (const char c : name_of(*numbers.names(), v)) {
        const auto byte = static_cast<unsigned char>(c);
        constexpr unsigned char beyond_ascii = 0x80;
        if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= beyond_ascii)
            text += c;
        else
            text += fmt::format("%{:02X}", byte);
    }
    return text;
}

Json vertex_as_json(VertexNumbers numbers, Vertex v)
{
    if (v == kUnreached || numbers.names() == nullptr) return v == kUnreached ? v : numbers[v];
    return std::string(name_of(*numbers.names(), v));
}

std::size_t most_vertex_bytes(VertexNumbers numbers, Vertex vertices)
{
    if (vertices == 0) return 1;
    if (numbers.names() == nullptr) return std::to_string(numbers[vertices - 1]).size();
    std::size_t most = 0;
    for (Vertex v = 0; v < vertices; ++v) most = std::max(most, name_of(*numbers.names(), v).size());
    return 2 * most + 2;
}

double least_bytes_of_vertices(VertexNumbers numbers, Vertex vertices)
{
    if (vertices == 0) return 0;
    if (numbers.names() != nullptr) return static_cast<double>(numbers.names()->bytes().size());
    // Numbers of a list are no smaller than consecutive ones.
    const Vertex first = numbers[0];
    const Vertex behind = first + vertices;
    double bytes = static_cast<double>(vertices);
    constexpr Vertex most_power = 1'000'000'000'000'000'000;
    for (Vertex power = 10; power < behind; power *= 10) {
        bytes += static_cast<double>(behind - std::max(first, power));  // have one more digit
        if (power == most_power) break;
    }
    return bytes;
}

}  // namespace wayfront::session
