#include "app/machine/peer_watch.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.hpp"
#include "app/machine/host_threads.hpp"

namespace wayfront::app {

namespace {

constexpr auto kBetweenLooks = std::chrono::seconds(1);
constexpr int kLooksOfGrace = 5;    // in which the launcher can end the job
constexpr int kLooksOfSilence = 2;  // in which the first rank that is left can say why

std::uint64_t own_number_space()
{
    struct stat status
    {
    };
    return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

}  // namespace

std::optional<ProcessId> find_process(pid_t number)
{
    std::ifstream file(fmt::format("/proc/{}/stat", number));
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    // The line is NUMBER (NAME) STATE ...; its 22nd field is the time of the start. A name may hold
    // any character.
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos) return std::nullopt;
    std::istringstream fields(line.substr(name_end + 1));
    std::string state;
    fields >> state;
    constexpr std::string_view ended = "ZXx";
    if (state.empty() || ended.find(state.front()) != std::string_view::npos) return std::nullopt;
    constexpr int between_state_and_start = 18;
    std::string skipped;
    for (int i = 0; i < between_state_and_start; ++i) fields >> skipped;
    ProcessId found{.number = number, .number_space = own_number_space()};
    if (!(fields >> found.start)) return std::nullopt;
    return found;
}

PeerWatch::PeerWatch(const comm::Communicator& world) : rank_(world.rank()), launcher_(is_mpirun(::getppid()) ? ::getppid() : 0)
{
    if (world.size() == 1) return;
    const comm::Communicator host = world.split_by_host();
    const Peer own{rank_, find_process(::getpid()).value_or(ProcessId{})};
    for (const Peer& peer : host.all_gather(own)) {
        // If a process cannot be seen at the start, its end cannot be seen either.
        const bool same_space = peer.process.number_space == own.process.number_space && own.process.number_space != 0;
        if (peer.rank != rank_ && same_space && find_process(peer.process.number) == peer.process) peers_.push_back(peer);
    }
    // Signals are handled by the main thread.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        thread_ = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
        peers_.clear();  // The job can do without the watch of this rank.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

PeerWatch::~PeerWatch()
{
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    ended_changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

bool PeerWatch::wait_a_second()
{
    std::unique_lock lock(mutex_);
    return !ended_changed_.wait_for(lock, kBetweenLooks, [this] { return ended_; });
}

bool PeerWatch::is_gone(const Peer& peer) const
{
    // If this process cannot see itself either, for example for want of file descriptors, nothing
    // is known about the peer.
    return find_process(peer.process.number) != peer.process && find_process(::getpid()).has_value();
}

bool PeerWatch::launcher_is_gone() const
{
    return launcher_ != 0 && ::getppid() != launcher_;
}

std::optional<std::string> PeerWatch::describe_loss() const
{
    const auto gone = std::ranges::find_if(peers_, [this](const Peer& peer) { return is_gone(peer); });
    if (gone != peers_.end()) return fmt::format("rank {} (process {}) has ended before its work was done", gone->rank, gone->process.number);
    if (launcher_is_gone()) return fmt::format("the launcher of the ranks (process {}) has ended before their work was done", launcher_);
    return std::nullopt;
}

bool PeerWatch::is_first_left() const
{
    return std::ranges::none_of(peers_, [this](const Peer& peer) { return peer.rank < rank_ && !is_gone(peer); });
}

void PeerWatch::watch()
{
    // Looks are counted instead of seconds, so that a job that is stopped as a whole loses no time
    // of grace.
    std::optional<std::string> loss;
    while (!loss) {
        if (!wait_a_second()) return;
        loss = describe_loss();
    }
    // Decided now, not after the grace, when the first rank that is left may have ended, too.
    const bool tells = is_first_left();
    for (int look = 0; look < kLooksOfGrace; ++look)
        if (!wait_a_second()) return;
    if (tells) {
        print_error(*loss + fmt::format(", and the launcher did not end the job (rank {})", rank_));
    } else {
        for (int look = 0; look < kLooksOfSilence; ++look)
            if (!wait_a_second()) return;
    }
    ::_exit(static_cast<int>(ExitCode::resources));
}

}  // namespace wayfront::app
