#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/manual/completion.hpp"

namespace wayfront::app {

namespace {

/// `text` in quotes of fish.
std::string in_fish_quotes(const std::string& text)
{
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + '\'';
}

/// The options of `complete` that offer values of an option or an argument.
std::string offer(const OfferedValues& values)
{
    const std::string words =
        values.words.empty() ? ""
                             : fmt::format(" -a {}", in_fish_quotes(fmt::format("{}", fmt::join(values.words, " "))));
    return (values.files ? " -F" : " -f") + words;
}

std::string line_of(const std::string& condition, const OptionReference& option)
{
    const std::string letter = option.letter.empty() ? "" : fmt::format(" -s {}", option.letter);
    const std::string value = option.value_name.empty() ? "" : fmt::format(" -r{}", offer(option.values));
    return fmt::format("complete -c wayfront -n {}{} -l {}{} -d {}\n", condition, letter, option.name, value,
                       in_fish_quotes(in_short(option.meaning)));
}

}  // namespace

std::string fish_completion(std::span<const CommandReference> commands)
{
    std::string script =
        "# Completion of wayfront in fish, printed by 'wayfront manual wayfront.fish'.\n\n"
        "complete -c wayfront -f\n";
    for (const CommandReference& command : commands)
        script += fmt::format("complete -c wayfront -n __fish_use_subcommand -a {} -d {}\n", command.name,
                              in_fish_quotes(command.summary));
    for (const char* const word : {"help", "manual", "version"})
        script += fmt::format("complete -c wayfront -n __fish_use_subcommand -a {}\n", word);
    for (const char* const option : {"help", "version"})
        script += fmt::format("complete -c wayfront -n __fish_use_subcommand -l {}\n", option);
    for (const CommandReference& command : commands) {
        const std::string condition = in_fish_quotes("__fish_seen_subcommand_from " + command.name);
        script += '\n';
        for (const ArgumentReference& argument : command.arguments)
            script += fmt::format("complete -c wayfront -n {}{}\n", condition, offer(argument.values));
        for (const OptionReference& option : command.options()) script += line_of(condition, option);
    }
    return script;
}

}  // namespace wayfront::app
