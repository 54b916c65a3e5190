// The life of MPI in this process, from its initialisation to its end, and what is known of the MPI
// library. The functions throw CommError (comm/communicator.hpp) if MPI reports a failure.
#pragma once

#include <optional>
#include <string>

namespace wayfront::comm {

/// The rank that a launcher (mpirun, srun) gave this process, by the environment variables that
/// launchers set; none if no launcher started it. Needs no Session.
[[nodiscard]] std::optional<int> launcher_rank();

/// Initialises MPI for one main thread (MPI_THREAD_FUNNELED) and finalises it. An application makes
/// one Session, in main. A process that no launcher started is a job of one rank, which needs no
/// MPI and starts without it: Open MPI takes a third of a second to start.
class Session
{
public:
    Session(int& argc, char**& argv);
    /// Finalises MPI. Throws CommError. To be called if all is in order; the destructor, which
    /// finalises MPI otherwise, reports no failure.
    void finalise();
    ~Session();
    Session(const Session&) = delete;  // MPI can be initialised once
    Session& operator=(const Session&) = delete;

    /// Ends all ranks of the job at once with this exit code. For failures that the other ranks
    /// have no other way to learn of.
    [[noreturn]] static void abort(int exit_code);

private:
    bool initialised_ = false;
};

/// Whether MPI accepts pointers to device memory. Only Open MPI can tell; the result is false for
/// other MPI libraries, and before MPI is initialised.
[[nodiscard]] bool cuda_aware();

/// Whether MPI has been initialised and not yet finalised.
[[nodiscard]] bool mpi_is_active();

/// The name and version of the MPI library, for example "Open MPI v4.1.4". Needs no Session.
[[nodiscard]] std::string library_version();

}  // namespace wayfront::comm
