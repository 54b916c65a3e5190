// The number or the name of a vertex in the input, as a part of texts.
#pragma once

#include <string>
#include <string_view>

#include "graph/vertex_numbers.hpp"
#include "session/output/json.hpp"

namespace wayfront::session {

/// How a name is written that has the separators of the text around it. Numbers are the same in all.
enum class NameForm {
    blanks,  // between blanks: in double quotes if it has blanks, commas, quotes or #
    csv,     // a field of a line: in double quotes if it has commas, quotes or blanks at its ends
    json,    // a string
};

/// Appends what the input calls vertex `v`; kUnreached is -1.
void append_vertex(std::string& text, VertexNumbers numbers, Vertex v, NameForm form);

/// A field of a line of CSV, in double quotes if it needs them.
void append_csv_field(std::string& text, std::string_view field);

/// A vertex as a part of messages and summaries: the form NameForm::blanks.
[[nodiscard]] std::string vertex_in_words(VertexNumbers numbers, Vertex v);

/// A vertex as a part of a file's name: bytes other than letters, digits, `-`, `_`, and those of
/// characters beyond ASCII are written as %XX.
[[nodiscard]] std::string vertex_in_file_name(VertexNumbers numbers, Vertex v);

/// A number, or a string.
[[nodiscard]] Json vertex_as_json(VertexNumbers numbers, Vertex v);

/// The most bytes that a vertex of the first `vertices` ones takes in text, without separators.
[[nodiscard]] std::size_t most_vertex_bytes(VertexNumbers numbers, Vertex vertices);

/// The bytes that the first `vertices` vertices take in text, at least, without separators.
[[nodiscard]] double least_bytes_of_vertices(VertexNumbers numbers, Vertex vertices);

}  // namespace wayfront::session
