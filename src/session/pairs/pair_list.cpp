#include "session/pairs/pair_list.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/error.hpp"
#include "comm/agreement.hpp"
#include "session/input/text_file.hpp"
#include "session/input/vertex_words.hpp"

namespace wayfront::session {

namespace {

bool is_header(const std::vector<VertexWord>& words)
{
    return words.size() == 2 && words[0].text == "source" && words[1].text == "target";
}

std::vector<algo::VertexPair> parse_pairs(const std::string& text, const std::string& path, const LoadedGraph& input)
{
    std::vector<algo::VertexPair> pairs;
    for_each_line_of_words(text, " \t\r\v\f,", [&](int line, const std::vector<VertexWord>& words) {
        if (pairs.empty() && is_header(words)) return;
        if (words.size() != 2)
            throw InputError(
                fmt::format("{}:{}: expected a source and a target, found {}", path, line,
                            counted(words.size(), input.named ? "word" : "number", input.named ? "words" : "numbers")));
        const auto vertex_of = [&](const VertexWord& word) {
            return input.list_number(fmt::format("{}:{}:{}", path, line, word.column), word.text);
        };
        pairs.push_back({vertex_of(words[0]), vertex_of(words[1])});
    });
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
