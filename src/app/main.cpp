#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/program.hpp"
#include "app/thread_waiting.hpp"

namespace {

// The loader calls the functions of this section before the constructors of all libraries.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const before_libraries)(int, char**, char**) = wayfront::app::choose_how_threads_wait;

/// The memory of large arrays goes back to the system as soon as they are freed. Otherwise the C library
/// keeps those of up to 32 MiB, of which construction on several ranks has many.
void return_large_arrays()
{
#ifdef __GLIBC__
    constexpr int from_bytes = 4 << 20;
    ::mallopt(M_MMAP_THRESHOLD, from_bytes);
    // After M_MMAP_THRESHOLD is set, M_TRIM_THRESHOLD would stay at 128 KiB.
    ::mallopt(M_TRIM_THRESHOLD, 2 * from_bytes);
#endif
}

}  // namespace

int main(int argc, char** argv)
{
    return_large_arrays();
    wayfront::app::restore_environment();
    return wayfront::app::run_program(argc, argv);
}
