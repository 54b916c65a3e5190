#include "app/machine/end_of_rank.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/failure.hpp"
#include "app/machine/host_threads.hpp"
#include "graph/io/unfinished_files.hpp"

namespace wayfront::app {

namespace {

constexpr int kPatienceSeconds = 5;
constexpr int kMilliseconds = 1000;

// The names of launchers that end with their job. Daemons of Open MPI and PRRTE may serve others.
constexpr std::array<std::string_view, 4> kLaunchersOfOneJob = {"mpirun", "mpiexec", "orterun", "prterun"};

bool launches_one_job(pid_t launcher)
{
    std::ifstream file(fmt::format("/proc/{}/comm", launcher));
    std::string name;
    std::getline(file, name);
    return std::ranges::find(kLaunchersOfOneJob, name) != kLaunchersOfOneJob.end();
}

/// Writes to the standard error of the launcher, whatever that is.
void write_to_launcher(const char* standard_error, const std::string& text)
{
    const int file = ::open(standard_error, O_WRONLY | O_APPEND | O_NONBLOCK);
    if (file >= 0) static_cast<void>(!::write(file, text.data(), text.size()));
}

/// Starts a child that ends the launcher if it has not ended after so many seconds. `text`, if there
/// is any, is written before. The child calls only what a child of several threads may call.
void start_child_that_ends(pid_t launcher, int seconds, const std::string& text)
{
    const std::string standard_error = fmt::format("/proc/{}/fd/2", launcher);
    // A descriptor, unlike a number, never stands for a later process.
    const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, launcher, 0));
    if (descriptor < 0) return;
    if (::fork() != 0) {
        ::close(descriptor);
        return;
    }
    ::setsid();
    // The launcher does not end while a process has the pipes open that it reads, and connections
    // to other ranks have to be closed when the rank ends.
    for (int file = 0; file < descriptor; ++file) ::close(file);
    ::closefrom(descriptor + 1);
    pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (::poll(&ended, 1, seconds * kMilliseconds) != 0) ::_exit(0);
    if (!text.empty()) write_to_launcher(standard_error.c_str(), text);
    ::syscall(SYS_pidfd_send_signal, descriptor, SIGTERM, nullptr, 0);
    if (::poll(&ended, 1, kPatienceSeconds * kMilliseconds) == 0) ::syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, nullptr, 0);
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

void end_launcher_after(int seconds, const std::string& message)
{
    if (const pid_t launcher = ::getppid(); launches_one_job(launcher))
        start_child_that_ends(launcher, seconds, fmt::format("wayfront: error: {}\n", message));
}

}  // namespace wayfront::app
