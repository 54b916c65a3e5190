// Ends ranks and their launcher if neither the launcher nor MPI does so.
//
// Open MPI's launcher waits without end for a host that does not answer, and for a process that is
// stopped, even if all other ranks have ended. A child of a rank therefore ends the launcher: with
// SIGTERM after some time, with SIGKILL five seconds later. The child has left the rank's session,
// so that the launcher does not end it together with the rank.
#pragma once

#include <string>

namespace wayfront::job {

/// Ends this process with exit code 3 and leaves no unfinished file. For a rank that prints nothing
/// because another rank prints the cause.
[[noreturn]] void end_rank();

/// Prints an error and ends this process like end_rank(). For a rank that cannot send the other
/// ranks a message. If the launcher has not ended after five seconds, it is ended.
[[noreturn]] void end_rank(const std::string& message);

/// When this process has ended, mpirun gets `seconds` seconds to end; then it is ended, with an
/// error message. To be called by rank 0. Does nothing if the parent of this process is not mpirun
/// itself: other launchers may outlive the job.
void limit_end_of_launcher(int seconds);

}  // namespace wayfront::job
