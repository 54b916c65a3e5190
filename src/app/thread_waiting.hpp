// How threads and ranks wait for each other.
//
// A thread that spins while it waits continues quickly, but occupies a core that the thread it
// waits for may need. If the ranks of this host have more threads together than there are cores,
// threads sleep at once, and ranks yield. Otherwise threads spin for some tens of microseconds,
// about the time of the serial parts of a level, and not for milliseconds, the default of GNU's
// runtime.
//
// OpenMP's runtime reads the environment in its constructor, when the loader has loaded it. The
// program therefore changes its environment earlier, in a function of its section .preinit_array
// (main.cpp). At that time the C library does not know the environment yet, so that setenv() has no
// effect, and the list on the stack has no room for another entry: the variable takes the place of
// one that no library reads when it is loaded, which main() sets again. If there is none, or
// if the C library knows no .preinit_array (musl), OpenMP's default stays.
#pragma once

namespace wayfront::app {

/// Puts OMP_WAIT_POLICY or GOMP_SPINCOUNT into the environment, unless one of them is set or there
/// is one thread. To be called before the constructors of libraries.
void choose_how_threads_wait(int argc, char** argv, char** environment) noexcept;

/// Sets the variable again whose place choose_how_threads_wait() took. To be called by main()
/// before anything else.
void restore_environment() noexcept;

/// Sets the environment variable that lets ranks of Open MPI yield while they wait, if threads are
/// more than cores. A variable that is already set is kept. To be called before MPI is initialised.
void choose_how_ranks_wait(int argc, char** argv);

}  // namespace wayfront::app
