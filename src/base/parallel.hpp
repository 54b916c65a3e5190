// Loops over the OpenMP threads of a rank.
#pragma once

#include <algorithm>
#include <cstddef>

#include <omp.h>

namespace wayfront {

[[nodiscard]] inline int thread_count()
{
    return omp_get_max_threads();
}

struct IndexRange
{
    std::size_t first = 0;
    std::size_t last = 0;  // one past the end

    [[nodiscard]] std::size_t size() const { return last - first; }
};

/// Part `part` of `parts` nearly equal, consecutive parts of [0, count).
[[nodiscard]] constexpr IndexRange part_of(std::size_t count, std::size_t part, std::size_t parts)
{
    const std::size_t whole = count / parts;
    const std::size_t rest = count % parts;
    const std::size_t first = part * whole + std::min(part, rest);
    return {first, first + whole + (part < rest ? 1 : 0)};
}

/// Calls f(range) on every thread with its part of [0, count). If count is below `serial_below`, or
/// there is one thread, the calling thread does all of it.
template <typename F>
void parallel_ranges(std::size_t count, std::size_t serial_below, F&& f)
{
    const int threads = thread_count();
    if (threads == 1 || count < serial_below) {
        f(IndexRange{0, count});
        return;
    }
#pragma omp parallel num_threads(threads)
    f(part_of(count, static_cast<std::size_t>(omp_get_thread_num()), static_cast<std::size_t>(omp_get_num_threads())));
}

/// Calls f(i) for each i in [0, count), on the threads that parallel_ranges would use.
template <typename F>
void parallel_for(std::size_t count, std::size_t serial_below, F&& f)
{
    parallel_ranges(count, serial_below, [&f](IndexRange range) {
        for (std::size_t i = range.first; i < range.last; ++i) f(i);
    });
}

}  // namespace wayfront
