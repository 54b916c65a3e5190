#include "app/cli/help_text.hpp"

#include <algorithm>
#include <cstddef>

#include <sys/ioctl.h>
#include <unistd.h>

namespace wayfront::app {

namespace {

constexpr unsigned kMostColumns = 100;
constexpr unsigned kLeastColumns = 40;  // a narrower terminal breaks the lines itself

/// The column at which the lines that follow `line` begin.
std::size_t hanging_indent(std::string_view line, std::size_t columns)
{
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", begin);
    if (gap == std::string_view::npos) return begin;
    const std::size_t second = line.find_first_not_of(' ', gap);
    return second == std::string_view::npos || second > columns / 2 ? begin : second;
}

}  // namespace

unsigned help_columns()
{
    winsize size{};
    if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return kMostColumns;
    return std::clamp<unsigned>(size.ws_col, kLeastColumns, kMostColumns);
}

std::string wrapped(std::string_view text, unsigned columns)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        line.erase(line.find_last_not_of(' ') + 1);
        const std::size_t indent = hanging_indent(line, columns);
        while (line.size() > columns) {
            std::size_t blank = line.rfind(' ', columns);
            const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
            if (blank == std::string::npos || blank <= begin) {
                // A single word fills the line. A spec is broken before an optional part; any other
                // word is left whole.
                const std::size_t part = line.rfind("[,", columns);
                blank = part != std::string::npos && part > begin ? part : line.find(' ', columns);
            }
            if (blank == std::string::npos) break;
            const std::size_t next = line.find_first_not_of(' ', blank);
            if (next == std::string::npos) break;
            result.append(line, 0, line.find_last_not_of(' ', blank - 1) + 1).push_back('\n');
            line = std::string(indent, ' ') + line.substr(next);
        }
        result += line + '\n';
    }
    return result;
}

}  // namespace wayfront::app
