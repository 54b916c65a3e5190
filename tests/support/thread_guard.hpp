// Sets the number of OpenMP threads for a scope.
#pragma once

#include <omp.h>

namespace wayfront {

class ThreadGuard
{
public:
    explicit ThreadGuard(int threads) : before_(omp_get_max_threads())
    {
        omp_set_dynamic(0);
        omp_set_num_threads(threads);
    }
    ThreadGuard(const ThreadGuard&) = delete;  // belongs to one scope
    ThreadGuard& operator=(const ThreadGuard&) = delete;
    ~ThreadGuard() { omp_set_num_threads(before_); }

private:
    int before_;
};

}  // namespace wayfront
