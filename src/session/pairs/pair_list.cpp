#include "session/pairs/pair_list.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "comm/agreement.hpp"
#include "session/input/text_file.hpp"

namespace wayfront::session {

namespace {

/// A word of a line, and its column from 1 on.
struct Word
{
    std::string_view text;
    std::size_t column;
};

std::vector<Word> words_of(std::string_view line)
{
    constexpr std::string_view separators = " \t\r\v\f,";
    std::vector<Word> words;
    for (std::size_t first = line.find_first_not_of(separators); first != std::string_view::npos;) {
        const std::size_t last = std::min(line.find_first_of(separators, first), line.size());
        words.push_back({line.substr(first, last - first), first + 1});
        first = line.find_first_not_of(separators, last);
    }
    return words;
}

bool is_header(const std::vector<Word>& words)
{
    return words.size() == 2 && words[0].text == "source" && words[1].text == "target";
}

Vertex vertex_of(const Word& word, const std::string& path, int line, const LoadedGraph& input)
{
    const std::string place = fmt::format("{}:{}:{}", path, line, word.column);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), number);
    if (error != std::errc{} || end != word.text.data() + word.text.size())
        throw InputError(fmt::format("{}: expected the number of a vertex, found '{}'", place, word.text));
    return input.inside(place, number);
}

std::vector<algo::VertexPair> parse_pairs(const std::string& text, const std::string& path, const LoadedGraph& input)
{
    std::istringstream file(text);
    std::vector<algo::VertexPair> pairs;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::vector<Word> words = words_of(std::string_view(line).substr(0, line.find('#')));
        if (words.empty() || (pairs.empty() && is_header(words))) continue;
        if (words.size() != 2)
            throw InputError(fmt::format("{}:{}: expected a source and a target, found {} {}", path, number,
                                         words.size(), words.size() == 1 ? "number" : "numbers"));
        pairs.push_back({vertex_of(words[0], path, number, input), vertex_of(words[1], path, number, input)});
    }
    if (pairs.empty()) throw InputError(fmt::format("--pairs: {} names no pair", path));
    return pairs;
}

}  // namespace

std::vector<algo::VertexPair> read_pairs(const job::Job& job, const std::string& path, const LoadedGraph& input)
{
    const std::string text = read_text_file(job.world(), path, "--pairs: " + path);
    return run_agreed(job.world(), [&] { return parse_pairs(text, path, input); });
}

}  // namespace wayfront::session
