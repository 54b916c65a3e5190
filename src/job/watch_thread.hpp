// The thread of a watch, which waits most of the time and ends with its owner. Signals are handled by
// other threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace wayfront::job {

class WatchThread
{
public:
    WatchThread() = default;
    WatchThread(const WatchThread&) = delete;  // the thread refers to the object
    WatchThread& operator=(const WatchThread&) = delete;
    /// Ends the thread's waits, and waits for its end.
    ~WatchThread();

    /// Runs `watch` on the thread. Returns false if no thread can be created.
    [[nodiscard]] bool start(const std::function<void()>& watch);

    /// Called by the thread: waits. Returns false once the object is being destroyed.
    [[nodiscard]] bool wait(std::chrono::seconds time);

private:
    std::mutex mutex_;
    std::condition_variable ended_changed_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace wayfront::job
