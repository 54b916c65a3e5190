// Ends a rank if another rank, or the launcher, has ended or is stopped.
//
// If a rank dies, the launcher ends the others. A launcher that is itself stopped or dead does not,
// and the other ranks then wait in an exchange for ever. A thread of each rank therefore checks once
// a second:
//   * whether the processes of the other ranks of its host still exist, and whether the launcher is
//     still its parent. If one is gone, the launcher gets five seconds to end the job.
//   * whether the other ranks of its host are stopped (SIGSTOP), and whether other hosts answer
//     (host_beats.hpp). A rank that is stopped, or a host that does not answer, for the time of
//     --timeout counts as dead. A process that a debugger has stopped does not.
// After that the rank ends itself with exit code 3. The first rank that can see the cause prints
// it. A launcher that cannot end the job because of a silent host is ended, too (end_of_rank.hpp).
//
// Ranks in other containers (PID namespaces) of the host are not watched. The thread calls no MPI.
// Each poll reads a line of /proc for every other rank of the host; the first rank of each host
// also sends and receives a datagram. Polls are counted instead of seconds, so that a job that is
// stopped as a whole can be continued.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "comm/communicator.hpp"
#include "job/host_beats.hpp"
#include "job/watch_thread.hpp"

namespace wayfront::job {

/// A process. Its start time distinguishes it from a later process with the same number.
struct ProcessId
{
    pid_t number = 0;
    std::uint64_t start = 0;         // in the kernel's ticks since the host was started
    std::uint64_t number_space = 0;  // the number of the PID namespace
    [[nodiscard]] bool operator==(const ProcessId&) const = default;
};

/// No value if there is no such process, if the process is a zombie, or if /proc cannot be read.
std::optional<ProcessId> find_process(pid_t number);

/// Whether there is such a process, and a signal has stopped it.
bool is_stopped(pid_t number);

/// Default of --timeout: the number of seconds that a rank may be stopped, or a host silent.
inline constexpr int kDefaultTimeoutSeconds = 300;
inline constexpr int kMostTimeoutSeconds = 7 * 24 * 3600;

class PeerWatch
{
public:
    /// Begins to watch; does nothing in a job of one rank. If no thread can be created, the rank
    /// does not watch. After the object is destroyed, ranks must wait for each other before one of them
    /// may end. Collective.
    explicit PeerWatch(const comm::Communicator& world);
    /// Sets for how many seconds a rank may be stopped, or a host silent; 0: for ever.
    void set_timeout(int seconds) { timeout_polls_ = seconds; }

private:
    struct Peer
    {
        int rank;
        ProcessId process;
        int stopped_polls = 0;
    };
    struct Loss
    {
        std::string cause;
        bool launcher_may_act = false;  // the launcher can see the cause, too
        int witnesses_before = 0;       // ranks that see the cause and may print it earlier
    };

    void watch();
    [[nodiscard]] bool is_gone(const Peer& peer) const;
    [[nodiscard]] bool launcher_is_gone() const;
    [[nodiscard]] bool is_lost(const Peer& peer) const;
    void count_stopped();
    /// The cause for which this rank has to end; no value if there is none.
    [[nodiscard]] std::optional<Loss> find_loss() const;
    /// The number of ranks of this host with smaller numbers that still run.
    [[nodiscard]] int witnesses_before() const;

    int rank_;
    pid_t launcher_;  // 0 if the parent is not mpirun
    std::vector<Peer> peers_;
    std::optional<HostBeats> beats_;  // no value in a job of one rank
    std::atomic<int> timeout_polls_ = kDefaultTimeoutSeconds;
    WatchThread thread_;  // refers to the members above
};

}  // namespace wayfront::job
