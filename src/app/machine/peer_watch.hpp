// Ends a rank if another rank of its host, or the launcher, is gone.
//
// If a rank dies, the launcher ends the others; but a launcher that is itself stopped or dead does
// not, and the others then wait in an exchange for ever. A thread of each rank therefore looks once
// a second whether the processes of the other ranks of its host still exist, and whether the
// launcher is still its parent. If one is gone, the launcher gets five seconds to end the job;
// after that, the rank ends itself with exit code 3, and the first rank of the host that is left
// says why. Processes that are stopped, or held by a debugger, are not gone. Ranks of other hosts,
// or of other containers (PID namespaces) of the host, are not watched.
//
// The thread sends no messages. Each look reads a line of /proc for every other rank of the host;
// between the looks the thread sleeps.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "comm/communicator.hpp"

namespace wayfront::app {

/// A process. Its start time distinguishes it from a later process with the same number.
struct ProcessId
{
    pid_t number = 0;
    std::uint64_t start = 0;         // in the kernel's ticks since the host was started
    std::uint64_t number_space = 0;  // of the PID namespace
    [[nodiscard]] bool operator==(const ProcessId&) const = default;
};

/// Nothing if there is no such process, if it has ended and only its parent has not noticed yet, or
/// if the kernel does not say.
std::optional<ProcessId> find_process(pid_t number);

class PeerWatch
{
public:
    /// Begins to watch; does nothing in a job of one rank. If no thread can be created, the rank
    /// does not watch. Collective.
    explicit PeerWatch(const comm::Communicator& world);
    /// Ends the watch. After that, ranks must wait for each other before one of them may end.
    ~PeerWatch();
    PeerWatch(const PeerWatch&) = delete;  // the thread refers to the object
    PeerWatch& operator=(const PeerWatch&) = delete;

private:
    struct Peer
    {
        int rank;
        ProcessId process;
    };

    void watch();
    /// Waits a second. Returns false once the watch has ended.
    [[nodiscard]] bool wait_a_second();
    [[nodiscard]] bool is_gone(const Peer& peer) const;
    [[nodiscard]] bool launcher_is_gone() const;
    /// A description of the process that is gone; no value if none is.
    [[nodiscard]] std::optional<std::string> describe_loss() const;
    [[nodiscard]] bool is_first_left() const;

    int rank_;
    pid_t launcher_;  // 0 if the parent is not mpirun
    std::vector<Peer> peers_;
    std::mutex mutex_;
    std::condition_variable ended_changed_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace wayfront::app
