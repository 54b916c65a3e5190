// The number of threads of a rank.
#pragma once

#include <cstddef>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "comm/communicator.hpp"

namespace wayfront::job {

/// A larger number of threads per rank is taken for a mistake.
inline constexpr int kMostThreads = 4096;

/// Throws InputError if OMP_NUM_THREADS asks for more than kMostThreads.
void check_thread_environment();

/// Creates idle threads to find out whether the wanted number is possible: if OpenMP's runtime
/// cannot create a thread, it ends the program itself. The trials of all ranks of a host should
/// exist at the same time, since the ranks may share a limit.
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

/// The number of threads of a rank without --threads.
struct DefaultThreads
{
    int count = 1;
    // A hint at --bind-to none, if the launcher bound the ranks of this host to some of its cores.
    // Empty if it did not, or if OMP_NUM_THREADS is set.
    std::string note;
};

/// OMP_NUM_THREADS if it is set, else the rank's share of the cores that it may use, at least 1.
/// The share follows from the rank's affinity, from the number of ranks of the host that may use
/// each of these cores, and from the control group's limit. There is a note if mpirun started the
/// rank, and may itself use more cores than the ranks of the host together. Collective over the
/// ranks of a host.
DefaultThreads default_threads(const comm::Communicator& host);

}  // namespace wayfront::job
