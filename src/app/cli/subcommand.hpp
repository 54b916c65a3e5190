// The interface of a subcommand of the program: its options, its help, and the job that it runs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/option_group.hpp"
#include "app/cli/terminal.hpp"
#include "job/job.hpp"
#include "job/peer_watch.hpp"

namespace wayfront::app {

/// The options that all subcommands share.
struct CommonOptions
{
    bool help = false;
    bool help_all = false;
    bool quiet = false;
    bool verbose = false;  // an option of subcommands that have details
    ProgressForm progress = ProgressForm::automatic;
    int threads = 0;  // 0: as default_threads() chooses
    int timeout_seconds = job::kDefaultTimeoutSeconds;
    std::string config;
    std::string command_line;  // the whole of it, as a shell reads it
};

/// A positional argument, such as GRAPH. A configuration file sets it by its name. An option may
/// have the same name.
struct Argument
{
    const char* name;
    std::string* target;
    bool required = true;
    // If set instead of `target`: the argument, the last one, is given any number of times.
    std::vector<std::string>* targets = nullptr;

    [[nodiscard]] bool is_missing() const
    {
        return required && (targets != nullptr ? targets->empty() : target->empty());
    }
};

/// The words of a subcommand, which are constants.
struct CommandWords
{
    std::string_view name;
    std::string_view arguments_usage;  // "GRAPH"
    std::string_view summary;          // one line
    std::string_view examples;         // command lines that work unchanged, one per line
};

class Subcommand
{
public:
    explicit Subcommand(const CommandWords& words) : words_(words) {}
    Subcommand(const Subcommand&) = delete;  // options point into it
    Subcommand& operator=(const Subcommand&) = delete;
    virtual ~Subcommand() = default;

    [[nodiscard]] const CommandWords& words() const { return words_; }
    [[nodiscard]] std::string_view name() const { return words_.name; }
    /// Paragraphs at the end of the help: formats and generators.
    [[nodiscard]] virtual std::string notes() const { return {}; }
    /// Paragraphs that only --help-all shows.
    [[nodiscard]] virtual std::string advanced_notes() const { return {}; }

    [[nodiscard]] virtual std::vector<Argument> arguments() = 0;
    /// The groups of options in the order of the help, without those that all subcommands share.
    [[nodiscard]] virtual std::vector<OptionGroup> options() = 0;
    /// Throws InputError if options do not go together. Sends no messages between ranks.
    virtual void check() const {}
    /// Throws InputError if options or arguments on the command line, whose names are `names`, do
    /// not go together. Options of a configuration file are not checked here, since they may be
    /// meant for other subcommands.
    virtual void check_given(std::span<const std::string> /*names*/) const {}

    /// Suggests what to write instead of an option that the subcommand does not have, if the
    /// option's name alone would not lead to a suggestion; empty otherwise.
    [[nodiscard]] virtual std::string_view hint_for(std::string_view /*option*/) const { return {}; }

    /// Runs the job. Collective over the job's world. Throws AgreedError, or any other exception as
    /// a last resort (job/failure.hpp).
    virtual void run(job::Job& job) = 0;

    CommonOptions common;

private:
    CommandWords words_;
};

/// All subcommands, in the order of the help.
std::vector<std::unique_ptr<Subcommand>> make_subcommands();

// Each of these is defined in a file of its own.
std::unique_ptr<Subcommand> make_graph500_command();
std::unique_ptr<Subcommand> make_bfs_command();
std::unique_ptr<Subcommand> make_sssp_command();
std::unique_ptr<Subcommand> make_apsp_command();
std::unique_ptr<Subcommand> make_generate_command();
std::unique_ptr<Subcommand> make_convert_command();
std::unique_ptr<Subcommand> make_info_command();
std::unique_ptr<Subcommand> make_plan_command();
std::unique_ptr<Subcommand> make_tune_command();
std::unique_ptr<Subcommand> make_report_command();

}  // namespace wayfront::app
