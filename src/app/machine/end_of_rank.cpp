#include "app/machine/end_of_rank.hpp"

#include <csignal>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/failure.hpp"
#include "app/machine/host_threads.hpp"

namespace wayfront::app {

namespace {

constexpr int kPatienceMilliseconds = 5000;

/// Sends the signals to the process that `descriptor` stands for, until the process ends. Calls only
/// what the child of a process with several threads may call.
void end_process(int descriptor)
{
    for (const int signal : {SIGTERM, SIGKILL}) {
        pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
        if (::poll(&ended, 1, kPatienceMilliseconds) != 0) return;
        ::syscall(SYS_pidfd_send_signal, descriptor, signal, nullptr, 0);
    }
}

void start_child_that_ends_launcher()
{
    const pid_t launcher = ::getppid();
    if (!is_mpirun(launcher)) return;
    // A descriptor, unlike a number, never stands for a later process.
    const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, launcher, 0));
    if (descriptor < 0 || ::fork() != 0) return;
    ::setsid();  // the launcher ends the process group of each rank
    // The launcher does not end while a process has the pipes open that it reads.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
    end_process(descriptor);
    ::_exit(0);
}

}  // namespace

void end_rank(const std::string& message)
{
    print_error(message);
    start_child_that_ends_launcher();
    ::_exit(static_cast<int>(ExitCode::resources));
}

}  // namespace wayfront::app
