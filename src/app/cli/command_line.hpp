// Parses a command line, and a configuration file, into a subcommand whose options are set.
//
// Parsing takes two steps, since the ranks must agree on whether the configuration file could be
// read before its text is used: the constructor parses the words of the command line, finish() the
// text of the file. Options on the command line take precedence over those in the file.
//
// A configuration file has one option per line, `name = value`, without the dashes. An option
// without a value is written `name` or `name = true`. A comment begins with # or ;. Options above
// the first [section] hold for every subcommand that has them, options in section [bfs] for bfs
// alone. GRAPH and other arguments may be set in the file, too: `graph = kron:20`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "app/cli/subcommand.hpp"

namespace wayfront::app {

class CommandLine
{
public:
    /// Chooses the subcommand in `commands` that the first of `words` names (`words` do not include
    /// the program's name), and parses its options. Throws InputError.
    CommandLine(std::span<const std::string> words, std::vector<std::unique_ptr<Subcommand>> commands);
    CommandLine(const CommandLine&) = delete;  // options point into the subcommands
    CommandLine& operator=(const CommandLine&) = delete;

    [[nodiscard]] Subcommand& command() const { return *command_; }
    [[nodiscard]] bool help_wanted() const;
    [[nodiscard]] std::string help() const;

    /// The name of the configuration file; empty if there is none.
    [[nodiscard]] std::string config() const;

    /// The value of --timeout on the command line, or the default. A value that does not fit counts
    /// as the default until finish() reports it.
    [[nodiscard]] int timeout_seconds() const;

    /// Adds the options in the configuration file's text, sets all variables of the subcommand, and
    /// checks them. Throws InputError.
    void finish(const std::string& config_text);

private:
    struct Table;
    [[nodiscard]] static std::unique_ptr<Table> table_of(Subcommand& command);
    [[nodiscard]] std::vector<std::string> words_of_config(const std::string& text) const;
    void store(const std::vector<std::string>& words, bool positional);

    std::vector<std::unique_ptr<Subcommand>> commands_;
    // One per subcommand, since a configuration file may name options of any.
    std::vector<std::shared_ptr<Table>> tables_;
    Subcommand* command_ = nullptr;
    const Table* table_ = nullptr;
    boost::program_options::variables_map values_;
    std::vector<std::string> given_;  // names of options and arguments on the command line
};

/// The groups of options of a subcommand, and those that all subcommands share, in the order of the
/// help. They refer to `command`.
std::vector<OptionGroup> option_groups(Subcommand& command);

/// The text that `wayfront --help` prints.
std::string program_help();

/// One line that says what the program is.
std::string_view program_summary();

struct ExitCodeHelp
{
    const char* code;
    const char* meaning;
};
/// The exit codes of the program, for its help.
std::span<const ExitCodeHelp> exit_codes();

/// The text that `wayfront --version` prints.
std::string version_text();

}  // namespace wayfront::app
