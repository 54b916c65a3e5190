// Describes the subcommands and their options as data, for manual pages, completions and tables. The data come from
// the same declarations as the parser of the command line and its help.
#pragma once

#include <string>
#include <vector>

namespace wayfront::app {

/// Values that a shell can offer for an option or an argument.
struct OfferedValues
{
    std::vector<std::string> words;  // a word that ends with a colon is the beginning of a value
    bool files = false;              // whether files are offered, too

    [[nodiscard]] bool empty() const { return words.empty() && !files; }
};

struct OptionReference
{
    std::string name;        // without dashes
    std::string letter;      // the letter of the short form, without the dash; empty if there is none
    std::string value_name;  // "FILE", "auto|cpu|gpu"; empty if the option takes no value
    std::string meaning;
    bool repeatable = false;
    OfferedValues values;
};

struct GroupReference
{
    std::string title;
    std::vector<OptionReference> options;
};

struct ArgumentReference
{
    std::string name;  // "graph"
    OfferedValues values;
    bool repeatable = false;
};

struct CommandReference
{
    std::string name;
    std::string arguments_usage;  // "GRAPH --source V"
    std::string summary;
    std::string examples;  // command lines, one per line
    std::string notes;     // paragraphs and tables, those of --help-all included
    std::vector<ArgumentReference> arguments;
    std::vector<GroupReference> groups;

    /// All options, in the order of the groups.
    [[nodiscard]] std::vector<OptionReference> options() const;
};

/// All subcommands, in the order of the help.
[[nodiscard]] std::vector<CommandReference> describe_commands();

/// The first clause of the meaning of an option, for menus.
[[nodiscard]] std::string in_short(const std::string& meaning);

}  // namespace wayfront::app
