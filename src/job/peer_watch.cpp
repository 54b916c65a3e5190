#include "job/peer_watch.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "comm/agreement.hpp"
#include "job/end_of_rank.hpp"
#include "job/failure.hpp"
#include "job/host_threads.hpp"

namespace wayfront::job {

namespace {

constexpr auto kPollInterval = std::chrono::seconds(1);
constexpr int kGracePolls = 5;     // polls during which the launcher may end the job
constexpr int kWitnessPolls = 2;   // polls between the messages of two ranks
constexpr int kMostWitnesses = 5;  // ranks that take turns, at most
constexpr std::string_view kEndedStates = "ZXx";
constexpr char kStoppedState = 'T';  // a process that a debugger holds is in state t

std::uint64_t own_number_space()
{
    struct stat status
    {
    };
    return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

struct ProcessStatus
{
    char state = 0;
    std::uint64_t start = 0;
};

/// The status of a process from /proc; no value if there is no such process.
std::optional<ProcessStatus> status_of(pid_t number)
{
    std::ifstream file(fmt::format("/proc/{}/stat", number));
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    // The line is NUMBER (NAME) STATE ...; its 22nd field is the time of the start. A name may hold
    // any character.
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos) return std::nullopt;
    std::istringstream fields(line.substr(name_end + 1));
    ProcessStatus status;
    fields >> status.state;
    constexpr int between_state_and_start = 18;
    std::string skipped;
    for (int i = 0; i < between_state_and_start; ++i) fields >> skipped;
    if (!(fields >> status.start)) return std::nullopt;
    return status;
}

}  // namespace

std::optional<ProcessId> find_process(pid_t number)
{
    const std::optional<ProcessStatus> status = status_of(number);
    if (!status || kEndedStates.find(status->state) != std::string_view::npos) return std::nullopt;
    return ProcessId{.number = number, .start = status->start, .number_space = own_number_space()};
}

bool is_stopped(pid_t number)
{
    const std::optional<ProcessStatus> status = status_of(number);
    return status && status->state == kStoppedState;
}

PeerWatch::PeerWatch(const comm::Communicator& world)
    : rank_(world.rank()), launcher_(is_mpirun(::getppid()) ? ::getppid() : 0)
{
    if (world.size() == 1) return;
    const comm::Communicator host = world.split_by_host();
    beats_.emplace(world, host);
    const Peer own{rank_, find_process(::getpid()).value_or(ProcessId{})};
    for (const Peer& peer : host.all_gather(own)) {
        // If a process cannot be seen at the start, its end cannot be seen either.
        const bool same_space = peer.process.number_space == own.process.number_space && own.process.number_space != 0;
        if (peer.rank != rank_ && same_space && find_process(peer.process.number) == peer.process)
            peers_.push_back(peer);
    }
    if (!thread_.start([this] { watch(); })) peers_.clear();  // The job can do without the watch of this rank.
}

bool PeerWatch::is_gone(const Peer& peer) const
{
    // If this process cannot see itself either, for example because there are no file descriptors
    // left, nothing is known about the peer.
    return find_process(peer.process.number) != peer.process && find_process(::getpid()).has_value();
}

bool PeerWatch::launcher_is_gone() const
{
    return launcher_ != 0 && ::getppid() != launcher_;
}

void PeerWatch::count_stopped()
{
    for (Peer& peer : peers_) peer.stopped_polls = is_stopped(peer.process.number) ? peer.stopped_polls + 1 : 0;
}

bool PeerWatch::is_lost(const Peer& peer) const
{
    const int timeout = timeout_polls_;
    return is_gone(peer) || (timeout > 0 && peer.stopped_polls >= timeout);
}

std::optional<PeerWatch::Loss> PeerWatch::find_loss() const
{
    const auto gone = std::ranges::find_if(peers_, [this](const Peer& peer) { return is_gone(peer); });
    if (gone != peers_.end())
        return Loss{
            fmt::format("rank {} (process {}) has ended before its work was done", gone->rank, gone->process.number),
            true, witnesses_before()};
    if (launcher_is_gone())
        return Loss{
            fmt::format("the launcher of the ranks (process {}) has ended before their work was done", launcher_), true,
            witnesses_before()};
    const int timeout = timeout_polls_;
    if (timeout == 0) return std::nullopt;
    const auto stopped = std::ranges::find_if(peers_, [this](const Peer& peer) { return is_lost(peer); });
    if (stopped != peers_.end())
        return Loss{fmt::format("rank {} (process {}) on {} has been stopped for {} seconds (--timeout)", stopped->rank,
                                stopped->process.number, comm::host_name(), timeout),
                    false, witnesses_before()};
    if (const std::optional<std::string> silent = beats_->silent_host(timeout))
        return Loss{fmt::format("{} has not answered for {} seconds (--timeout)", *silent, timeout), false,
                    beats_->witnesses_before()};
    return std::nullopt;
}

int PeerWatch::witnesses_before() const
{
    return static_cast<int>(
        std::ranges::count_if(peers_, [this](const Peer& peer) { return peer.rank < rank_ && !is_lost(peer); }));
}

void PeerWatch::watch()
{
    std::optional<Loss> loss;
    while (!loss) {
        if (!thread_.wait(kPollInterval)) return;
        count_stopped();
        beats_->poll();
        loss = find_loss();
    }
    const int grace = loss->launcher_may_act ? kGracePolls : 0;
    const int turn = kWitnessPolls * std::min(loss->witnesses_before, kMostWitnesses);
    for (int poll = 0; poll < grace + turn; ++poll)
        if (!thread_.wait(kPollInterval)) return;
    if (!loss->launcher_may_act) end_rank(fmt::format("{} (rank {})", loss->cause, rank_));
    // The launcher is gone or stopped, so that all ranks end by themselves, and one message is
    // enough.
    if (loss->witnesses_before == 0)
        print_error(fmt::format("{}, and the launcher did not end the job (rank {})", loss->cause, rank_));
    end_rank();
}

}  // namespace wayfront::job
