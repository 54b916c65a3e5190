#include "app/cli/command_line.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "app/cli/config_file.hpp"
#include "app/cli/help_text.hpp"
#include "app/cli/shell_words.hpp"
#include "app/cli/suggestion.hpp"
#include "app/cli/version.hpp"
#include "base/error.hpp"
#include "comm/session.hpp"
#include "job/host_threads.hpp"
#include "job/progress.hpp"
#include "session/rates_file.hpp"

namespace wayfront::app {

namespace po = boost::program_options;

/// The options of one subcommand in the form that Boost.Program_options needs.
struct CommandLine::Table
{
    std::vector<OptionGroup> groups;
    po::options_description arguments;
    po::options_description all;
    po::positional_options_description positions;

    [[nodiscard]] const po::option_description* find(const std::string& name) const
    {
        return all.find_nothrow(name, false);
    }
    [[nodiscard]] std::vector<std::string> names() const
    {
        std::vector<std::string> names;
        for (const auto& option : all.options()) names.push_back(option->long_name());
        return names;
    }
};

namespace {

OptionGroup common_options(CommonOptions& common)
{
    OptionGroup group("Common");
    group.flag("help,h", common.help, "print the basic options and examples");
    group.flag("help-all", common.help_all, "print all options");
    group.parsed("threads", "N",
                 "number of OpenMP threads of each rank [OMP_NUM_THREADS, or the rank's share of the host's cores]",
                 [&common](const std::string& text) {
                     common.threads = static_cast<int>(parse_whole("threads", text, 1, job::kMostThreads));
                 });
    group.text("config", common.config, "FILE",
               "read more options from FILE, one `name = value` per line; the command line takes precedence");
    group.flag("quiet", common.quiet, "print only results and errors");
    group.advanced();
    group.parsed("progress", "auto|terminal|log|none",
                 "how to show progress: a line that changes, for a terminal; lines for a log, every 10 s and at the "
                 "end of each part; auto: the line "
                 "on a terminal, otherwise lines every 10 s [auto]",
                 [&common](const std::string& text) { common.progress = parse_progress_form(text); });
    group.whole("timeout", common.timeout_seconds, {0, job::kMostTimeoutSeconds}, "SECONDS",
                "end the job if a host does not answer, or a rank is stopped, for this time; 0: never");
    return group;
}

std::string see_help(const Subcommand& command)
{
    return fmt::format(" (see 'wayfront {} --help')", command.name());
}

/// A suggestion for an option that the subcommand does not have; empty if no option is similar.
std::string advice(std::string_view option, const Subcommand& command, const std::vector<std::string>& names,
                   std::string_view prefix = "")
{
    std::string_view hint = command.hint_for(option);
    if (hint.empty() && option == "g" && std::ranges::find(names, "scale") == names.end())
        hint = "for a generated graph write its spec, such as kron:20";
    return (hint.empty() ? did_you_mean(option, names, prefix) : fmt::format("; {}", hint)) + see_help(command);
}

/// Turns an error of Boost into an InputError in the program's words.
[[noreturn]] void complain(const po::error& error, const Subcommand& command, const std::vector<std::string>& names)
{
    if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
        const std::string word = unknown->get_option_name();
        const std::string_view bare = std::string_view(word).substr(std::min(word.find_first_not_of('-'), word.size()));
        throw InputError(fmt::format("unknown option '{}'{}", word, advice(bare, command, names, "--")));
    }
    if (dynamic_cast<const po::too_many_positional_options_error*>(&error) != nullptr)
        throw InputError("too many arguments: the usage line names all allowed arguments" + see_help(command));
    if (const auto* named = dynamic_cast<const po::multiple_occurrences*>(&error))
        throw InputError(fmt::format("{} is given more than once", named->get_option_name()));
    if (const auto* syntax = dynamic_cast<const po::invalid_command_line_syntax*>(&error)) {
        if (syntax->kind() == po::invalid_syntax::extra_parameter)
            throw InputError(fmt::format("{} takes no value", syntax->get_option_name()));
        throw InputError(fmt::format("{}: a value is missing", syntax->get_option_name()));
    }
    throw InputError(error.what());
}

/// The option at the end of `word` that takes its value from the next word; none if there is no
/// such option. Short options may share a word: the value of -o in -qo is the next word.
const po::option_description* option_before_value(const std::string& word, const po::options_description& options)
{
    const auto takes_value = [](const po::option_description* option) {
        return option != nullptr && option->semantic()->max_tokens() > 0;
    };
    if (word.starts_with("--")) {
        const po::option_description* const option = options.find_nothrow(word.substr(2), false);
        return takes_value(option) ? option : nullptr;
    }
    if (!word.starts_with('-')) return nullptr;
    for (std::size_t i = 1; i < word.size(); ++i) {
        const po::option_description* const option = options.find_nothrow(std::string("-") + word[i], false);
        if (option == nullptr) return nullptr;
        // The rest of the word is the value.
        if (takes_value(option)) return i + 1 == word.size() ? option : nullptr;
    }
    return nullptr;
}

/// Throws InputError if an option is followed by another option instead of its value. Boost would
/// take the second option for the value.
void require_values(const std::vector<std::string>& words, const po::options_description& options)
{
    for (std::size_t i = 0; i + 1 < words.size() && words[i] != "--"; ++i) {
        const po::option_description* const option = option_before_value(words[i], options);
        if (option == nullptr) continue;
        ++i;
        if (words[i].starts_with("--"))
            throw InputError(
                fmt::format("--{0}: a value is missing before {1}; a value that begins with -- is written --{0}=VALUE",
                            option->long_name(), words[i]));
    }
}

std::vector<std::string> subcommand_names()
{
    std::vector<std::string> names;
    for (const auto& command : make_subcommands()) names.emplace_back(command->name());
    return names;
}

}  // namespace

CommandLine::CommandLine(std::span<const std::string> words, std::vector<std::unique_ptr<Subcommand>> commands)
    : commands_(std::move(commands))
{
    for (const auto& command : commands_) tables_.push_back(table_of(*command));
    const std::string& name = words.front();
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        if (commands_[i]->name() != name) continue;
        command_ = commands_[i].get();
        table_ = tables_[i].get();
    }
    if (command_ == nullptr) {
        if (name.starts_with('-'))
            throw InputError(
                fmt::format("expected a subcommand first, found the option '{}' (see 'wayfront --help')", name));
        throw InputError(fmt::format("there is no subcommand '{}'{} (see 'wayfront --help')", name,
                                     did_you_mean(name, subcommand_names())));
    }
    command_->common.command_line = "wayfront " + as_shell_line(words);
    store({words.begin() + 1, words.end()}, true);
    for (const auto& [option, value] : values_)
        if (!value.defaulted()) given_.push_back(option);
}

std::unique_ptr<CommandLine::Table> CommandLine::table_of(Subcommand& command)
{
    auto table = std::make_unique<Table>();
    table->groups = option_groups(command);
    for (const OptionGroup& group : table->groups) table->all.add(group.basic_options()).add(group.advanced_options());
    for (const Argument& argument : command.arguments()) {
        table->positions.add(argument.name, argument.targets != nullptr ? -1 : 1);
        if (table->find(argument.name) != nullptr) continue;  // the argument is also an option
        if (argument.targets != nullptr)
            table->arguments.add_options()(argument.name, po::value<std::vector<std::string>>(argument.targets));
        else
            table->arguments.add_options()(argument.name, po::value<std::string>(argument.target));
    }
    table->all.add(table->arguments);
    return table;
}

void CommandLine::store(const std::vector<std::string>& words, bool positional)
{
    namespace style = po::command_line_style;
    require_values(words, table_->all);
    try {
        po::command_line_parser parser(words);
        parser.options(table_->all).style(style::unix_style & ~style::allow_guessing);
        if (positional) parser.positional(table_->positions);
        po::store(parser.run(), values_);
    } catch (const po::error& error) {
        complain(error, *command_, table_->names());
    }
}

bool CommandLine::help_wanted() const
{
    return values_["help"].as<bool>() || values_["help-all"].as<bool>();
}

std::string CommandLine::config() const
{
    return values_.count("config") > 0 ? values_["config"].as<std::string>() : "";
}

int CommandLine::timeout_seconds() const
{
    if (values_.count("timeout") == 0) return job::kDefaultTimeoutSeconds;
    try {
        return static_cast<int>(
            parse_whole("timeout", values_["timeout"].as<std::string>(), 0, job::kMostTimeoutSeconds));
    } catch (const InputError&) {
        return job::kDefaultTimeoutSeconds;
    }
}

void CommandLine::finish(const std::string& config_text)
{
    if (!config_text.empty()) store(words_of_config(config_text), false);
    po::notify(values_);
    for (const Argument& argument : command_->arguments()) {
        if (!argument.is_missing()) continue;
        std::string shown = argument.name;
        std::ranges::transform(shown, shown.begin(),
                               [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        throw InputError(fmt::format("{} is missing: wayfront {} {} [options]", shown, command_->name(),
                                     command_->words().arguments_usage));
    }
    if (command_->common.quiet && command_->common.verbose)
        throw InputError("--quiet and --verbose do not go together");
    command_->check_given(given_);
    command_->check();
}

std::vector<std::string> CommandLine::words_of_config(const std::string& text) const
{
    const std::vector<std::string> sections = subcommand_names();
    std::vector<std::string> words;
    for (const ConfigLine& line : parse_config(text, config())) {
        const auto fail = [&](const std::string& what) {
            throw InputError(fmt::format("{}:{}: {}", config(), line.number, what));
        };
        if (!line.section.empty() && std::ranges::find(sections, line.section) == sections.end())
            fail(fmt::format("there is no subcommand '{}'{}", line.section, did_you_mean(line.section, sections)));
        const bool elsewhere = !line.section.empty() && line.section != command_->name();
        const bool known_somewhere =
            std::ranges::any_of(tables_, [&](const auto& table) { return table->find(line.name) != nullptr; });
        const po::option_description* const option = table_->find(line.name);
        if (line.name == "config") fail("config: a configuration file cannot name another");
        if (!known_somewhere || (option == nullptr && line.section == command_->name()))
            fail(fmt::format("unknown option '{}'{}", line.name, advice(line.name, *command_, table_->names())));
        if (elsewhere || option == nullptr) continue;
        if (option->semantic()->max_tokens() > 0) {
            if (line.value)
                words.push_back(fmt::format("--{}={}", line.name, *line.value));
            else
                fail(fmt::format("{}: a value is missing", line.name));
        } else if (!line.value || *line.value == "true") {
            words.push_back("--" + line.name);
        } else if (*line.value != "false") {
            fail(fmt::format("{}: expected true or false, found '{}'", line.name, *line.value));
        }
    }
    return words;
}

std::string CommandLine::help() const
{
    const bool all = values_["help-all"].as<bool>();
    std::ostringstream out;
    out << "Usage: wayfront " << command_->name() << ' ' << command_->words().arguments_usage << " [options]\n\n"
        << command_->words().summary << "\n";
    for (const OptionGroup& group : table_->groups) {
        if (!group.basic_options().options().empty()) out << '\n' << group.basic_options();
        if (all && !group.advanced_options().options().empty()) out << '\n' << group.advanced_options();
    }
    if (!all) out << fmt::format("\n'wayfront {} --help-all' lists all options.\n", command_->name());
    out << "\nExamples:\n" << command_->words().examples;
    if (const std::string notes = command_->notes(); !notes.empty()) out << '\n' << notes;
    if (const std::string notes = command_->advanced_notes(); all && !notes.empty()) out << '\n' << notes;
    return wrapped(out.str(), help_columns());
}

std::vector<OptionGroup> option_groups(Subcommand& command)
{
    std::vector<OptionGroup> groups = command.options();
    groups.push_back(common_options(command.common));
    return groups;
}

std::string_view program_summary()
{
    return "breadth-first search and shortest paths on clusters of CPUs and GPUs";
}

std::span<const ExitCodeHelp> exit_codes()
{
    static constexpr std::array kCodes = {
        ExitCodeHelp{"0", "success"},
        ExitCodeHelp{"1", "a wrong result, failed validation, or a cycle of negative length"},
        ExitCodeHelp{"2", "bad usage or input"},
        ExitCodeHelp{"3", "a missing resource (memory, disk, GPU), or a failure of MPI"},
        ExitCodeHelp{"75", "apsp was stopped by SIGTERM and has written its checkpoint"},
    };
    return kCodes;
}

std::string program_help()
{
    std::ostringstream out;
    out << "wayfront " << program_version() << ": " << program_summary() << "\n\n"
        << "Usage: wayfront SUBCOMMAND [arguments] [options]\n"
        << "       mpirun -n RANKS wayfront SUBCOMMAND [arguments] [options]\n\n"
        << "Subcommands:\n";
    for (const auto& command : make_subcommands())
        out << fmt::format("  {:<10} {}\n", command->name(), command->words().summary);
    out << "\n'wayfront SUBCOMMAND --help' lists the options of a subcommand, 'wayfront --version' prints the version "
           "and the libraries of the build, 'wayfront manual' lists manual pages and completions for shells, which "
           "'wayfront manual NAME' prints.\n\n"
        << "Exit codes: ";
    for (const ExitCodeHelp& exit : exit_codes())
        out << fmt::format("{}{} {}", &exit == exit_codes().data() ? "" : "; ", exit.code, exit.meaning);
    out << ".\n";
    return wrapped(out.str(), help_columns());
}

std::string version_text()
{
    std::string rates;
    try {
        const auto [found, note] = session::find_rates(comm::Communicator::alone(), "");
        rates = fmt::format("rates of {}, {}; of GPUs: {}{}{}", found.machine, found.date, found.gpu_machine,
                            note.empty() ? "" : "; ", note);
    } catch (const Error& error) {
        rates = error.what();
    }
    return fmt::format("wayfront {}\n{}; {}\n{}\n", program_version(), built_with(), comm::library_version(), rates);
}

std::vector<std::unique_ptr<Subcommand>> make_subcommands()
{
    std::vector<std::unique_ptr<Subcommand>> commands;
    commands.push_back(make_graph500_command());
    commands.push_back(make_bfs_command());
    commands.push_back(make_sssp_command());
    commands.push_back(make_apsp_command());
    commands.push_back(make_generate_command());
    commands.push_back(make_convert_command());
    commands.push_back(make_info_command());
    commands.push_back(make_plan_command());
    commands.push_back(make_tune_command());
    commands.push_back(make_report_command());
    return commands;
}

}  // namespace wayfront::app
