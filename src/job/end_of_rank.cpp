#include "job/end_of_rank.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "graph/io/unfinished_files.hpp"
#include "job/failure.hpp"
#include "job/host_threads.hpp"

namespace wayfront::job {

namespace {

constexpr int kPatienceSeconds = 5;
constexpr int kMilliseconds = 1000;

// Beginnings of the names of launchers that end with their job. Daemons of Open MPI and PRRTE may
// serve several jobs.
constexpr std::array<std::string_view, 4> kLaunchersOfOneJob = {"mpirun", "mpiexec", "orterun", "prterun"};

bool launches_one_job(pid_t launcher)
{
    std::ifstream file(fmt::format("/proc/{}/comm", launcher));
    std::string name;
    std::getline(file, name);
    return std::ranges::any_of(kLaunchersOfOneJob, [&](std::string_view known) { return name.starts_with(known); });
}

/// Writes to the launcher's standard error: a file, a pipe or a terminal.
void write_to_launcher(const char* standard_error, const std::string& text)
{
    const int file = ::open(standard_error, O_WRONLY | O_APPEND | O_NONBLOCK);
    if (file >= 0) static_cast<void>(!::write(file, text.data(), text.size()));
}

/// A descriptor of a process, which, unlike its number, never denotes a later process.
int open_process(pid_t process)
{
    return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
}

/// Waits until a process has ended. Returns false if the process has not ended after `seconds`
/// seconds; -1 means no limit.
bool wait_for_end(int descriptor, int seconds)
{
    pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
    int events = 0;
    do {
        events = ::poll(&ended, 1, seconds < 0 ? -1 : seconds * kMilliseconds);
    } while (events < 0 && errno == EINTR);
    return events != 0;
}

/// Starts a child that waits until this process has ended. If the launcher has not ended `seconds`
/// seconds later, the child writes `text` and ends the launcher. The child calls only functions
/// that are allowed in the child of a process with several threads.
void start_child_that_ends(pid_t launcher, int seconds, const std::string& text)
{
    const std::string standard_error = fmt::format("/proc/{}/fd/2", launcher);
    const int own_end = open_process(::getpid());
    const int launchers_end = open_process(launcher);
    if (own_end < 0 || launchers_end < 0 || ::fork() != 0) {
        ::close(own_end);
        ::close(launchers_end);
        return;
    }
    ::setsid();
    // The launcher does not end while a process holds the pipes that the launcher reads, and the
    // rank's connections must be closed when the rank ends. The child therefore closes all other
    // files.
    constexpr int rank = 0;
    constexpr int mpirun = 1;
    ::dup2(own_end, rank);
    ::dup2(launchers_end, mpirun);
    ::closefrom(mpirun + 1);
    wait_for_end(rank, -1);
    if (wait_for_end(mpirun, seconds)) ::_exit(0);
    if (!text.empty()) write_to_launcher(standard_error.c_str(), text);
    ::syscall(SYS_pidfd_send_signal, mpirun, SIGTERM, nullptr, 0);
    if (!wait_for_end(mpirun, kPatienceSeconds)) ::syscall(SYS_pidfd_send_signal, mpirun, SIGKILL, nullptr, 0);
    ::_exit(0);
}

}  // namespace

void end_rank()
{
    remove_unfinished_files();
    ::_exit(static_cast<int>(ExitCode::resources));
}

void end_rank(const std::string& message)
{
    print_error(message);
    if (const pid_t launcher = ::getppid(); is_mpirun(launcher)) start_child_that_ends(launcher, kPatienceSeconds, "");
    end_rank();
}

void limit_end_of_launcher(int seconds)
{
    if (const pid_t launcher = ::getppid(); launches_one_job(launcher))
        start_child_that_ends(
            launcher, seconds,
            fmt::format("wayfront: error: mpirun has not ended, although rank 0 ended {} seconds ago (--timeout)\n",
                        seconds));
}

}  // namespace wayfront::job
