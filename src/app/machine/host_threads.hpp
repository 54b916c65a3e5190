// How many threads a rank runs, and how they wait.
#pragma once

#include <cstddef>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "comm/communicator.hpp"

namespace wayfront::app {

/// More threads than this for a rank are taken for a mistake.
inline constexpr int kMostThreads = 4096;

/// Throws InputError if OMP_NUM_THREADS asks for more than kMostThreads.
void check_thread_environment();

/// Threads that do nothing, to see whether so many can be created: if OpenMP's runtime cannot
/// create a thread, it ends the program itself. All ranks of a host should hold their trials at the
/// same time, since they may share a limit.
class ThreadTrial
{
public:
    /// Creates `threads` threads, or as many as it can.
    explicit ThreadTrial(int threads);
    /// Ends the threads, and waits until the kernel no longer counts them.
    ~ThreadTrial();
    ThreadTrial(const ThreadTrial&) = delete;  // the threads refer to the object
    ThreadTrial& operator=(const ThreadTrial&) = delete;

    /// Throws ResourceError if a thread could not be created.
    void require_success() const;

private:
    int wanted_;
    std::ptrdiff_t threads_before_;
    std::latch end_;
    std::vector<std::thread> trial_;
};

/// Whether a process is mpirun, or the process that mpirun starts on another host to start ranks
/// there: Open MPI's, PRRTE's or Hydra's. The launchers of Slurm and other batch systems do not
/// count: they limit a job to the cores that it was granted.
bool is_mpirun(pid_t process);

/// The threads of a rank where --threads does not say.
struct DefaultThreads
{
    int count = 1;
    std::string note;  // that the launcher bound this host's ranks to a part of its cores, and what to do; empty where it did not, or nobody minds
};

/// OMP_NUM_THREADS where set, else the rank's share of the cores that it may use (its affinity, each core shared among the ranks of the host that may
/// use it, and the control group's limit), at least 1. There is a note where mpirun started the rank, and may itself use more cores than the ranks of
/// the host together. Collective over the ranks of a host.
DefaultThreads default_threads(const comm::Communicator& host);

/// Sets in the environment how threads wait for each other, which OpenMP's runtime reads when it is loaded and MPI when it is initialised; so it
/// starts the program anew, once, where that is needed. To be called before anything else. Keeps what the environment already says.
///
/// A thread that spins while it waits is quick to go on, but takes the core that another thread may need to get there. Where the ranks of this host
/// times their threads exceed its cores, threads sleep at once; else they spin for some tens of microseconds, about as long as the serial pieces of a
/// level take, and not for the milliseconds that GNU's runtime has as its default.
void choose_how_threads_wait(int argc, char** argv);

}  // namespace wayfront::app
