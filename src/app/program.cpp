#include "app/program.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "app/cli/command_line.hpp"
#include "app/cli/terminal.hpp"
#include "app/cli/version.hpp"
#include "app/manual/manual.hpp"
#include "app/thread_waiting.hpp"
#include "comm/session.hpp"
#include "gpu/runtime/profiler.hpp"
#include "graph/io/unfinished_files.hpp"
#include "job/end_of_rank.hpp"
#include "job/failure.hpp"
#include "job/peer_watch.hpp"
#include "job/time_limit.hpp"
#include "session/input/text_file.hpp"

namespace wayfront::app {

namespace {

// The longest time in which the limits of all ranks end the job, so that there is one message.
constexpr int kSecondsForLimits = 15;
// The time in which the launcher ends the other ranks if the first one fails.
constexpr auto kLaunchersTime = std::chrono::seconds(2);

constexpr int code_of(ExitCode code)
{
    return static_cast<int>(code);
}

/// Throws ResourceError if the printed text could not be written.
void flush_standard_output()
{
    std::cout.flush();
    if (!std::cout.good() || std::fflush(stdout) != 0)
        throw ResourceError("standard output cannot be written (disk full, or closed)");
}

/// The text of the help, of the version or of a manual page, which is printed without ranks; no value
/// if there is a job to run. Throws InputError.
std::optional<std::string> text_alone(const std::vector<std::string>& words)
{
    if (words.front() == "--help" || words.front() == "-h" || words.front() == "help") return program_help();
    if (words.front() == "--version" || words.front() == "version") return version_text();
    if (words.front() == "manual") return manual_text(std::span(words).subspan(1));
    return std::nullopt;
}

/// Prints the current exception, and returns its exit code.
int report(const Failure& failure, const std::string& rank_name)
{
    job::print_error(rank_name.empty() ? failure.message : failure.message + " (" + rank_name + ")");
    return code_of(failure.code);
}

/// Reports the current exception before the ranks have found each other. All ranks have the same
/// command line: if the first rank cannot read it, the launcher ends this rank before this rank prints.
/// If this rank alone fails, for example for lack of memory, this rank prints, and ends the job.
int report_before_start(int rank)
{
    const Failure failure = describe_current_exception();
    if (rank == 0) return report(failure, "");
    if (failure.code == ExitCode::bad_input) std::this_thread::sleep_for(kLaunchersTime);
    return report(failure, fmt::format("rank {}", rank));
}

/// Reports the current exception of one of several ranks, and ends the job: the end of MPI would
/// wait for the other ranks, which do not know of the failure.
int report_and_end_job(const comm::Communicator& world, const std::string& name)
{
    const Failure failure = describe_current_exception();
    if (world.size() > 1 && !failure.agreed) job::end_all_ranks(world, name, failure);
    return world.rank() == 0 ? report(failure, "") : code_of(failure.code);
}

/// Runs the subcommand on all ranks, and returns the exit code of this rank. `start` is the limit
/// on the time in which the ranks have to find each other.
int run_job(CommandLine& line, const std::string& words, const comm::Communicator& world,
            std::optional<job::TimeLimit>& start)
{
    std::string name = fmt::format("rank {}", world.rank());
    try {
        gpu::show_ranges_to_profilers();
        name = name_of_rank(world);
        job::PeerWatch watch(world);
        watch.set_timeout(line.timeout_seconds());
        start.reset();
        require_alike(world, "the ranks run different versions of wayfront", std::string(program_version()));
        require_alike(world, "the ranks were started with different arguments", words);
        const std::string config = line.config();
        const std::string config_text = config.empty() ? "" : session::read_text_file(world, config, config);
        run_agreed(world, [&] { line.finish(config_text); });
        const CommonOptions& common = line.command().common;
        watch.set_timeout(common.timeout_seconds);
        job::Job job(world, common.threads, std::make_shared<Terminal>(common.quiet, common.progress));
        line.command().run(job);
        run_agreed(world, [&] { flush_standard_output(); });
        return code_of(ExitCode::good);
    } catch (const AgreedError& error) {
        std::cout.flush();
        if (world.rank() == 0) job::print_error(error.what());
        return code_of(error.code());
    } catch (...) {
        return report_and_end_job(world, name);
    }
}

/// A remark on a limit that keeps MPI from connecting the ranks; empty if there is none.
std::string limit_of_addresses()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "";
    return fmt::format(", with at most {} MiB of addresses for each (ulimit -v),", limit.rlim_cur >> 20);
}

/// Connects the ranks, and runs the subcommand.
int connect_and_run(int argc, char** argv, CommandLine& line, std::optional<int> rank)
{
    // Destroyed last, since it also limits the time that MPI takes to end.
    std::optional<job::TimeLimit> limit;
    const int timeout_seconds = line.timeout_seconds();
    if (rank == 0 && timeout_seconds > 0) job::limit_end_of_launcher(timeout_seconds + kSecondsForLimits);
    if (rank) limit.emplace(timeout_seconds, "connecting the ranks" + limit_of_addresses(), *rank);
    const std::string words = fmt::format("{}", fmt::join(argv + 1, argv + argc, " "));
    comm::Session session(argc, argv);
    int code = 0;
    try {
        const comm::Communicator world = comm::Communicator::world();
        code = run_job(line, words, world, limit);
        if (rank) limit.emplace(line.command().common.timeout_seconds, "the end of all ranks", *rank);
        world.barrier();  // no rank ends while another rank still watches it
    } catch (...) {
        if (!rank) throw;
        comm::Session::abort(report(describe_current_exception(), fmt::format("rank {}", *rank)));
    }
    session.finalise();
    return code;
}

/// Parses the command line. Returns the text that is to be printed instead of running a job, if
/// there is one.
std::optional<std::string> parse(std::vector<std::string> words, const MakeSubcommands& make,
                                 std::optional<CommandLine>& line)
{
    if (words.size() > 1 && words.front() == "help") words = {words[1], "--help"};
    if (std::optional<std::string> text = text_alone(words)) return text;
    line.emplace(words, make());
    if (line->help_wanted()) return line->help();
    return std::nullopt;
}

}  // namespace

int run_program(int argc, char** argv, const MakeSubcommands& make) noexcept
try {
    std::set_terminate(job::terminate_in_order);
    std::signal(SIGXFSZ, SIG_IGN);  // write() then fails if a file may not grow further
    remove_unfinished_files_on_signals();
    const std::optional<int> rank = comm::launcher_rank();
    const bool first = rank.value_or(0) == 0;
    std::optional<CommandLine> line;
    try {
        choose_how_ranks_wait(argc, argv);
        const std::vector<std::string> words(argv + 1, argv + argc);
        if (words.empty()) {
            if (first) std::cerr << program_help();
            return first ? code_of(ExitCode::bad_input) : code_of(ExitCode::good);
        }
        if (const std::optional<std::string> text = parse(words, make, line)) {
            if (first) std::cout << *text;
            flush_standard_output();
            return code_of(ExitCode::good);
        }
    } catch (...) {
        return report_before_start(rank.value_or(0));
    }
    try {
        return connect_and_run(argc, argv, *line, rank);
    } catch (...) {
        return report(describe_current_exception(), rank ? fmt::format("rank {}", *rank) : "");
    }
} catch (...) {
    job::end_without_memory();  // not enough for a message
}

}  // namespace wayfront::app
