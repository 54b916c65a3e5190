#include "app/cli/config_file.hpp"

#include <sstream>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wayfront::app {

namespace {

std::string trimmed(const std::string& text)
{
    constexpr const char* blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Returns `line` without its comment. A comment begins with # or ;, at the start of the line or
/// after a blank.
std::string without_comment(const std::string& line)
{
    for (std::size_t i = 0; i < line.size(); ++i)
        if ((line[i] == '#' || line[i] == ';') && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t'))
            return line.substr(0, i);
    return line;
}

}  // namespace

std::vector<ConfigLine> parse_config(const std::string& text, const std::string& path)
{
    std::vector<ConfigLine> lines;
    std::istringstream stream(text);
    std::string raw;
    std::string section;
    for (int number = 1; std::getline(stream, raw); ++number) {
        const std::string line = trimmed(without_comment(raw));
        if (line.empty()) continue;
        if (line.front() == '[' && line.back() == ']') {
            section = trimmed(line.substr(1, line.size() - 2));
            continue;
        }
        const std::size_t equals = line.find('=');
        const std::string name = trimmed(line.substr(0, equals));
        if (name.empty() || name.find_first_of(" \t[]") != std::string::npos)
            throw InputError(
                fmt::format("{}:{}: expected NAME = VALUE, or [SUBCOMMAND], found '{}'", path, number, line));
        lines.push_back({number, section, name,
                         equals == std::string::npos ? std::nullopt : std::optional(trimmed(line.substr(equals + 1)))});
    }
    return lines;
}

}  // namespace wayfront::app
