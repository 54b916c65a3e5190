// Loops on one thread.
#pragma once

#include <omp.h>

namespace wayfront {

/// While it exists, loops that the calling thread begins run on that thread alone: for work that each
/// thread of a team does on its own.
class SerialLoops
{
public:
    SerialLoops() : threads_(omp_get_max_threads()) { omp_set_num_threads(1); }
    SerialLoops(const SerialLoops&) = delete;
    SerialLoops& operator=(const SerialLoops&) = delete;
    ~SerialLoops() { omp_set_num_threads(threads_); }

private:
    int threads_;
};

}  // namespace wayfront
