#include "session/input/vertex_words.hpp"

#include <sstream>

namespace wayfront::session {

namespace {

/// Appends the quoted word that begins at `begin`. Returns the position behind it.
std::size_t take_quoted(std::string_view line, std::size_t begin, std::string& text)
{
    std::size_t i = begin + 1;
    for (; i < line.size(); ++i) {
        if (line[i] != '"') {
            text += line[i];
        } else if (i + 1 < line.size() && line[i + 1] == '"') {
            text += '"';
            ++i;
        } else {
            return i + 1;
        }
    }
    return i;
}

/// The words of a line, between characters of `separators`. Text in double quotes at the beginning
/// of a word may contain them. A # at the beginning of the line, or after a blank or a tab, begins a comment, which
/// is dropped.
std::vector<VertexWord> words_of_line(std::string_view line, std::string_view separators)
{
    const auto separates = [&](char c) { return separators.find(c) != std::string_view::npos; };
    const auto begins_comment = [&](std::size_t i) {
        return line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t');
    };
    std::vector<VertexWord> words;
    for (std::size_t i = 0; i < line.size() && !begins_comment(i);) {
        if (separates(line[i])) {
            ++i;
            continue;
        }
        VertexWord word{{}, i + 1};
        if (line[i] == '"') i = take_quoted(line, i, word.text);
        for (; i < line.size() && !separates(line[i]); ++i) word.text += line[i];
        words.push_back(std::move(word));
    }
    return words;
}

}  // namespace

void for_each_line_of_words(const std::string& text, std::string_view separators,
                            const std::function<void(int, const std::vector<VertexWord>&)>& f)
{
    std::istringstream file(text);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::vector<VertexWord> words = words_of_line(line, separators);
        if (!words.empty()) f(number, words);
    }
}

}  // namespace wayfront::session
