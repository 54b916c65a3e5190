// From the words of a command line, and a configuration file, to a subcommand whose options are set.
//
// In two steps, since the file can be read only when the ranks can agree on whether it could be read: the constructor takes the words, finish() the
// file's text. What the command line says takes precedence over what the file says.
//
// A configuration file has one option per line, `name = value`, without the dashes; `name` alone or `name = true` for an option without a value;
// comments from # or ; on. Options above the first [section] hold for every subcommand that knows them, those in section [bfs] for bfs alone. GRAPH
// and other arguments may stand in it too: `graph = kron:20`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "app/cli/subcommand.hpp"

namespace wayfront::app {

class CommandLine
{
public:
    /// Picks the one of `commands` that `words` (without the program's name) begin with, and parses its options. Throws InputError.
    CommandLine(std::span<const std::string> words, std::vector<std::unique_ptr<Subcommand>> commands);
    CommandLine(const CommandLine&) = delete;  // options point into the subcommands
    CommandLine& operator=(const CommandLine&) = delete;

    [[nodiscard]] Subcommand& command() const { return *command_; }
    [[nodiscard]] bool help_wanted() const;
    [[nodiscard]] std::string help() const;

    /// The name of the configuration file; empty where there is none.
    [[nodiscard]] std::string config() const;

    /// Adds the options of the configuration file's text, sets all of the subcommand's variables, and checks them. Throws InputError.
    void finish(const std::string& config_text);

private:
    struct Table;
    [[nodiscard]] static std::unique_ptr<Table> table_of(Subcommand& command);
    [[nodiscard]] std::vector<std::string> words_of_config(const std::string& text) const;
    void store(const std::vector<std::string>& words, bool positional);

    std::vector<std::unique_ptr<Subcommand>> commands_;
    std::vector<std::shared_ptr<Table>> tables_;  // one a subcommand: a configuration file may name options of any
    Subcommand* command_ = nullptr;
    const Table* table_ = nullptr;
    boost::program_options::variables_map values_;
    std::vector<std::string> given_;  // names of options and arguments on the command line
};

/// What `wayfront --help` prints.
std::string program_help();

/// What `wayfront --version` prints.
std::string version_text();

/// A list of the subcommands for messages.
std::vector<std::string> subcommand_names();

}  // namespace wayfront::app
