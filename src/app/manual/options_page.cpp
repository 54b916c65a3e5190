#include "app/manual/options_page.hpp"

#include <string_view>

#include <fmt/format.h>

#include "app/cli/command_line.hpp"
#include "app/cli/help_text.hpp"

namespace wayfront::app {

namespace {

constexpr unsigned kColumns = 100;

/// `text` without marks of Markdown and HTML.
std::string plain(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '*' || c == '_' || c == '\\' || c == '[' || c == ']') result += '\\';
        if (c == '<')
            result += "&lt;";
        else
            result += c;
    }
    return result;
}

std::string line_of(const OptionReference& option)
{
    const std::string letter = option.letter.empty() ? "" : fmt::format("`-{}`, ", option.letter);
    const std::string value = option.value_name.empty() ? "" : ' ' + option.value_name;
    return fmt::format("- {}`--{}{}`: {}\n", letter, option.name, value, plain(option.meaning));
}

std::string block(std::string_view text)
{
    return fmt::format("```text\n{}```\n", wrapped(text, kColumns));
}

}  // namespace

std::string options_page(std::span<const CommandReference> commands)
{
    std::string page =
        "# Options\n\nThe options of all subcommands, as `wayfront SUBCOMMAND --help-all` and the manual "
        "pages list them. Defaults are in\nbrackets. `wayfront manual options.md` prints this page.\n";
    for (const CommandReference& command : commands) {
        page += fmt::format("\n## wayfront {}\n\n{}.\n\n", command.name, command.summary);
        page += block(fmt::format("wayfront {}{}{} [options]\n", command.name,
                                  command.arguments_usage.empty() ? "" : " ", command.arguments_usage));
        for (const GroupReference& group : command.groups) {
            page += fmt::format("\n**{}**\n\n", plain(group.title));
            for (const OptionReference& option : group.options) page += line_of(option);
        }
        page += fmt::format("\n**Examples**\n\n{}", block(command.examples));
        if (!command.notes.empty()) page += fmt::format("\n**Notes**\n\n{}", block(command.notes));
    }
    page += "\n## Exit codes\n\n| exit code | meaning |\n|---|---|\n";
    for (const ExitCodeHelp& exit : exit_codes()) page += fmt::format("| {} | {} |\n", exit.code, exit.meaning);
    return page;
}

}  // namespace wayfront::app
