#include "app/program.hpp"

#include <csignal>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/command_line.hpp"
#include "app/cli/version.hpp"
#include "app/failure.hpp"
#include "app/io/text_file.hpp"
#include "app/machine/end_of_rank.hpp"
#include "app/machine/host_threads.hpp"
#include "app/machine/peer_watch.hpp"
#include "app/machine/time_limit.hpp"
#include "app/search/gpus.hpp"
#include "comm/communicator.hpp"
#include "comm/session.hpp"
#include "graph/io/unfinished_files.hpp"

namespace wayfront::app {

namespace {

// The longest time in which the limits of all ranks end the job, so that there is one message.
constexpr int kSecondsForLimits = 15;

constexpr int code_of(ExitCode code)
{
    return static_cast<int>(code);
}

/// Throws ResourceError if the printed text could not be written.
void flush_standard_output()
{
    std::cout.flush();
    if (!std::cout.good() || std::fflush(stdout) != 0) throw ResourceError("standard output cannot be written (disk full, or closed)");
}

/// The text of the help or of the version, which is printed without ranks; no value if there is a
/// job to run.
std::optional<std::string> text_alone(const std::vector<std::string>& words)
{
    if (words.front() == "--help" || words.front() == "-h" || words.front() == "help") return program_help();
    if (words.front() == "--version" || words.front() == "version") return version_text();
    return std::nullopt;
}

/// Runs the subcommand on all ranks, and returns the exit code of this rank. `start` is the limit
/// on the time in which the ranks have to find each other.
int run_job(CommandLine& line, const std::string& words, const comm::Communicator& world, std::optional<TimeLimit>& start)
{
    if (const Gpus* const own = gpus()) own->show_phases_to_profilers();
    std::string name = "rank " + std::to_string(world.rank());
    try {
        name = name_of_rank(world);
        PeerWatch watch(world);
        watch.set_timeout(line.timeout_seconds());
        start.reset();
        require_alike(world, "the ranks run different versions of wayfront", std::string(program_version()));
        require_alike(world, "the ranks were started with different arguments", words);
        const std::string config = line.config();
        const std::string config_text = config.empty() ? "" : read_text_file(world, config, config);
        run_agreed(world, [&] { line.finish(config_text); });
        watch.set_timeout(line.command().common.timeout_seconds);
        Job job(world, line.command().common);
        line.command().run(job);
        run_agreed(world, [&] { flush_standard_output(); });
        return code_of(ExitCode::good);
    } catch (const AgreedError& error) {
        std::cout.flush();
        if (world.rank() == 0) print_error(error.what());
        return code_of(error.code());
    } catch (...) {
        const Failure failure = describe_current_exception();
        if (world.size() > 1 && !failure.agreed) end_all_ranks(world, name, failure);
        if (world.rank() == 0) print_error(failure.message);
        return code_of(failure.code);
    }
}

}  // namespace

int run_program(int argc, char** argv, std::vector<std::unique_ptr<Subcommand>> commands)
{
    std::signal(SIGXFSZ, SIG_IGN);  // write() then fails if a file may not grow further
    remove_unfinished_files_on_signals();
    const bool first = comm::launcher_rank().value_or(0) == 0;
    std::optional<CommandLine> line;
    try {
        std::vector<std::string> words(argv + 1, argv + argc);
        if (words.size() > 1 && words.front() == "help") words = {words[1], "--help"};
        if (words.empty()) {
            if (first) std::cerr << program_help();
            return first ? code_of(ExitCode::bad_input) : code_of(ExitCode::good);
        }
        std::optional<std::string> text = text_alone(words);
        if (!text) {
            line.emplace(words, std::move(commands));
            if (line->help_wanted()) text = line->help();
        }
        if (text) {
            if (first) std::cout << *text;
            flush_standard_output();
            return code_of(ExitCode::good);
        }
    } catch (...) {
        // All ranks have the same command line. Only the first rank prints a message and fails: a
        // launcher ends the other ranks as soon as one fails, and this one should be the rank that
        // printed.
        if (!first) return code_of(ExitCode::good);
        const Failure failure = describe_current_exception();
        print_error(failure.message);
        return code_of(failure.code);
    }
    try {
        // Destroyed last, since it also limits the time that MPI takes to end.
        std::optional<TimeLimit> limit;
        const std::optional<int> rank = comm::launcher_rank();
        const int timeout_seconds = line->timeout_seconds();
        if (rank == 0 && timeout_seconds > 0) limit_end_of_launcher(timeout_seconds + kSecondsForLimits);
        if (rank) limit.emplace(timeout_seconds, "connecting the ranks", *rank);
        comm::Session session(argc, argv);
        const comm::Communicator world = comm::Communicator::world();
        const int code = run_job(*line, fmt::format("{}", fmt::join(argv + 1, argv + argc, " ")), world, limit);
        if (rank) limit.emplace(line->command().common.timeout_seconds, "the end of all ranks", *rank);
        world.barrier();  // no rank ends while another rank still watches it
        return code;
    } catch (...) {
        const Failure failure = describe_current_exception();
        print_error(failure.message);
        return code_of(failure.code);
    }
}

}  // namespace wayfront::app
