#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/manual/completion.hpp"

namespace wayfront::app {

namespace {

constexpr const char* kHead = R"(# Completion of wayfront in bash, printed by 'wayfront manual wayfront.bash'.

_wayfront()
{
    COMPREPLY=()
    # The words of --option=value are the option, = and the value.
    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $current == = ]]; then
        current=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local words= files=
)";

constexpr const char* kTail = R"(    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace; fi
    if [[ -n $files && ${#COMPREPLY[@]} == 0 ]]; then
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _wayfront wayfront
)";

/// The assignments that offer values.
std::string offer(const OfferedValues& values)
{
    return fmt::format("words='{}' files={}", fmt::join(values.words, " "), values.files ? "yes" : "");
}

/// The cases of the values of options, in `case $option`.
std::string value_cases(const CommandReference& command)
{
    std::string cases;
    for (const OptionReference& option : command.options()) {
        if (option.value_name.empty()) continue;
        const std::string letter = option.letter.empty() ? "" : fmt::format(" | -{}", option.letter);
        cases += fmt::format("                --{}{}) {} ;;\n", option.name, letter, offer(option.values));
    }
    return cases;
}

std::string names_of_options(const CommandReference& command)
{
    std::string names;
    for (const OptionReference& option : command.options()) {
        names += fmt::format("{}--{}", names.empty() ? "" : " ", option.name);
        if (!option.letter.empty()) names += fmt::format(" -{}", option.letter);
    }
    return names;
}

/// The values of all arguments, since options may come between them.
OfferedValues values_of_arguments(const CommandReference& command)
{
    OfferedValues values;
    for (const ArgumentReference& argument : command.arguments) {
        values.files = values.files || argument.values.files;
        if (values.words.empty()) values.words = argument.values.words;
    }
    return values;
}

}  // namespace

std::string bash_completion(std::span<const CommandReference> commands)
{
    std::string names;
    for (const CommandReference& command : commands) names += command.name + " ";
    std::string script = kHead;
    script += fmt::format(
        "    if ((COMP_CWORD == 1)); then\n        words='{}help manual version --help --version'\n    else\n"
        "        case ${{COMP_WORDS[1]}} in\n            help) words='{}' ;;\n",
        names, names.substr(0, names.size() - 1));
    for (const CommandReference& command : commands)
        script += fmt::format(
            "            {})\n                case $option in\n{}                *)\n"
            "                    if [[ $current == -* ]]; then\n                        words='{}'\n"
            "                    else\n                        {}\n                    fi\n                    ;;\n"
            "                esac\n                ;;\n",
            command.name, value_cases(command), names_of_options(command), offer(values_of_arguments(command)));
    script += "        esac\n    fi\n";
    return script + kTail;
}

}  // namespace wayfront::app
