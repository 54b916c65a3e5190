#include "app/cli/shell_words.hpp"

#include <algorithm>

namespace wayfront::app {

namespace {

bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_=+.,:/@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string in_shell_quotes(std::string_view text)
{
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + '\'';
}

std::string as_shell_line(std::span<const std::string> words)
{
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ' ';
        line += !word.empty() && std::ranges::all_of(word, is_plain) ? word : in_shell_quotes(word);
    }
    return line;
}

}  // namespace wayfront::app
