// The words of small files that list vertices: sources, targets and pairs.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wayfront::session {

/// A word of a line, without the double quotes around it, in which two of them stand for one.
struct VertexWord
{
    std::string text;
    std::size_t column;  // from 1 on
};

/// Calls f(number of the line, words) for each line of a text that has words; numbers begin with 1. Words are between
/// characters of `separators`; a comment begins with # at the start of the line or behind a blank. Words in double
/// quotes may contain these characters.
void for_each_line_of_words(const std::string& text, std::string_view separators,
                            const std::function<void(int, const std::vector<VertexWord>&)>& f);

}  // namespace wayfront::session
