#include "base/lone_threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <omp.h>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace wayfront {

namespace {

constexpr std::chrono::milliseconds kBetweenCalls{50};

/// Counts the threads that work.
class ActiveThreads
{
public:
    void begin()
    {
        const std::lock_guard lock(mutex_);
        ++count_;
    }
    void end()
    {
        const std::lock_guard lock(mutex_);
        --count_;
        ended_.notify_one();
    }
    /// Returns when no thread works. Calls f() from time to time until then.
    void wait(const std::function<void()>& f)
    {
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, kBetweenCalls, [this] { return count_ == 0; })) {
            lock.unlock();
            f();
            lock.lock();
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t count_ = 0;
};

}  // namespace

void for_each_single_threaded(std::size_t count, const std::function<void(std::size_t)>& f,
                              const std::function<void()>& meanwhile)
{
    const std::size_t threads = std::min(count, static_cast<std::size_t>(thread_count()));
    if (thread_count() == 1) {
        for (std::size_t i = 0; i < count; ++i) {
            f(i);
            if (meanwhile) meanwhile();
        }
        return;
    }
    // These are not threads of OpenMP, because its functions return the numbers of the enclosing
    // region within a parallel region.
    std::atomic<std::size_t> next = 0;
    ActiveThreads active_threads;
    std::vector<std::jthread> workers;
    workers.reserve(threads);
    for (std::size_t thread = 0; thread < threads; ++thread) {
        active_threads.begin();
        try {
            workers.emplace_back([&] {
                omp_set_num_threads(1);
                for (std::size_t i = next++; i < count; i = next++) f(i);
                active_threads.end();
            });
        } catch (const std::system_error&) {
            active_threads.end();
            if (workers.empty()) throw ResourceError("no thread can be created");
            break;  // the others do the work
        }
    }
    if (!meanwhile) return;
    try {
        active_threads.wait(meanwhile);
    } catch (...) {
        next = count;
        throw;
    }
}

}  // namespace wayfront
