#include "base/lone_threads.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include <omp.h>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace wayfront {

void for_each_alone(std::size_t count, const std::function<void(std::size_t)>& f)
{
    const std::size_t threads = std::min(count, static_cast<std::size_t>(thread_count()));
    if (thread_count() == 1) {
        for (std::size_t i = 0; i < count; ++i) f(i);
        return;
    }
    // These are not threads of OpenMP, because its functions return the numbers of the enclosing
    // region within a parallel region.
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> workers;
    workers.reserve(threads);
    for (std::size_t thread = 0; thread < threads; ++thread) {
        try {
            workers.emplace_back([&] {
                omp_set_num_threads(1);
                for (std::size_t i = next++; i < count; i = next++) f(i);
            });
        } catch (const std::system_error&) {
            if (workers.empty()) throw ResourceError("no thread can be created");
            break;  // the others do the work
        }
    }
}

}  // namespace wayfront
