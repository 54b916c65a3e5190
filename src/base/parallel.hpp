// Loops over the OpenMP threads of a rank.
//
// An exception that leaves a parallel region ends the process. The functions of this file therefore
// keep the first exception of a region and throw it again after the region. Raw regions elsewhere are plain
// reductions, which throw nothing (tests/layering checks this).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <utility>

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

/// The first exception of the threads of a parallel region.
class RegionFailure
{
public:
    template <typename F>
    void guard(F&& f) noexcept
    {
        try {
            std::forward<F>(f)();
        } catch (...) {
            if (!kept_.exchange(true)) failure_ = std::current_exception();
        }
    }
    /// Throws the exception, if there is one. Call it after the region.
    void rethrow() const
    {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    std::atomic<bool> kept_ = false;
    std::exception_ptr failure_;
};

/// Calls f(thread) on `threads` threads, or on fewer if OpenMP gives fewer. f may contain `omp for`
/// and `omp single`; as all threads have to reach the end of these, no exception may pass over one.
template <typename F>
void parallel_team(int threads, F&& f)
{
    RegionFailure failure;
#pragma omp parallel num_threads(threads)
    failure.guard([&f] { f(static_cast<std::size_t>(omp_get_thread_num())); });
    failure.rethrow();
}

/// Calls f(i) for each i in [0, count). A thread that is free takes the next `chunk` items. If an
/// item throws, the others still run.
template <typename F>
void parallel_items(std::size_t count, F&& f, std::size_t chunk = 1, int threads = thread_count())
{
    if (threads == 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i) f(i);
        return;
    }
    RegionFailure failure;
#pragma omp parallel for num_threads(threads) schedule(dynamic, chunk)
    for (std::size_t i = 0; i < count; ++i) failure.guard([&f, i] { f(i); });
    failure.rethrow();
}

/// Calls f(part) for each part in [0, parts), part k on thread k modulo `threads`. If a part
/// throws, the others still run.
template <typename F>
void parallel_parts(std::size_t parts, int threads, F&& f)
{
    if (threads == 1) {
        for (std::size_t part = 0; part < parts; ++part) f(part);
        return;
    }
    RegionFailure failure;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (std::size_t part = 0; part < parts; ++part) failure.guard([&f, part] { f(part); });
    failure.rethrow();
}
template <typename F>
void parallel_parts(std::size_t parts, F&& f)
{
    parallel_parts(parts, static_cast<int>(parts), std::forward<F>(f));
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
    parallel_team(threads, [&](std::size_t thread) {
        f(part_of(count, thread, static_cast<std::size_t>(omp_get_num_threads())));
    });
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
