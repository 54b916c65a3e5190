// The load of this host by other programs.
#pragma once

#include <string>
#include <string_view>

namespace wayfront::job {

/// The number of other threads that this host runs: the smaller of those that run now, and of the
/// average over the last minute, so that neither a short command nor a job that has ended counts.
/// `load` is the contents of /proc/loadavg; `own` of the threads that run now are the job's. 0 if
/// the kernel does not say.
int threads_of_others(std::string_view load, int own);

/// A note if the threads of a job and those of others are too many for the cores of a host: threads
/// wait for each other at the end of every step, and one of them that has no core stops all. Empty
/// if there is nothing to say. `ranks`: those of the job on the host; `threads`: of each.
std::string note_of_load(int others, int ranks, int threads, int cores);

/// The same for this host. The environment variable WAYFRONT_THREADS_OF_OTHERS replaces the
/// kernel's answer.
std::string note_of_load_here(int ranks, int threads);

}  // namespace wayfront::job
