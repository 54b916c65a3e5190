// Reads the lines of a configuration file (command_line.hpp explains them).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wayfront::app {

struct ConfigLine
{
    int number = 0;  // from 1
    std::string section;
    std::string name;
    std::optional<std::string> value;
};

/// The options in the text of the file `path`. Throws InputError, `path:line: ...`, for a line that
/// is not an option, a section, a comment or blank.
std::vector<ConfigLine> parse_config(const std::string& text, const std::string& path);

}  // namespace wayfront::app
