#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/shell_words.hpp"
#include "app/manual/completion.hpp"

namespace wayfront::app {

namespace {

/// `text` with a backslash before each of `special`.
std::string escaped(std::string_view text, std::string_view special)
{
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

/// The action of _arguments for a value: it offers words, files, both or nothing.
std::string action(const OfferedValues& values)
{
    if (values.empty()) return " ";
    if (values.words.empty()) return "_files";
    std::string open;  // beginnings of values
    std::string whole;
    for (const std::string& word : values.words) (word.ends_with(':') ? open : whole) += ' ' + escaped(word, ":");
    std::string actions = values.files ? "_files; " : "";
    if (!open.empty()) actions += fmt::format("compadd -S \"\" --{}; ", open);
    if (!whole.empty()) actions += fmt::format("compadd --{}; ", whole);
    return fmt::format("{{{}}}", actions);
}

std::string spec_of(const OptionReference& option)
{
    const std::string meaning = fmt::format("[{}]", escaped(in_short(option.meaning), "[]\\:"));
    const std::string equals = option.value_name.empty() ? "" : "=";
    const std::string value =
        option.value_name.empty() ? "" : fmt::format(":{}:{}", escaped(option.value_name, ":"), action(option.values));
    if (option.letter.empty())
        return in_shell_quotes(
            fmt::format("{}--{}{}{}{}", option.repeatable ? "*" : "", option.name, equals, meaning, value));
    const std::string plus = option.value_name.empty() ? "" : "+";
    return fmt::format("'(-{0} --{1})'{{-{0}{2},--{1}{3}}}{4}", option.letter, option.name, plus, equals,
                       in_shell_quotes(meaning + value));
}

}  // namespace

std::string zsh_completion(std::span<const CommandReference> commands)
{
    std::string script =
        "#compdef wayfront\n"
        "# Completion of wayfront in zsh, printed by 'wayfront manual _wayfront'.\n\n"
        "local -a subcommands\nsubcommands=(\n";
    for (const CommandReference& command : commands)
        script += fmt::format("    {}\n",
                              in_shell_quotes(fmt::format("{}:{}", command.name, escaped(command.summary, ":\\"))));
    script +=
        "    help manual version\n)\n"
        "if ((CURRENT == 2)); then\n    _describe subcommand subcommands\n"
        "    compadd -- --help --version\n    return\nfi\n"
        "shift words\n((CURRENT--))\ncase $words[1] in\n"
        "    help) _describe subcommand subcommands ;;\n";
    for (const CommandReference& command : commands) {
        script += fmt::format("    {})\n        _arguments", command.name);
        for (const ArgumentReference& argument : command.arguments)
            script += fmt::format(" \\\n            {}",
                                  in_shell_quotes(fmt::format("{}:{}:{}", argument.repeatable ? "*" : "", argument.name,
                                                              action(argument.values))));
        for (const OptionReference& option : command.options())
            script += fmt::format(" \\\n            {}", spec_of(option));
        script += "\n        ;;\n";
    }
    return script + "esac\n";
}

}  // namespace wayfront::app
