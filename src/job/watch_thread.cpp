#include "job/watch_thread.hpp"

#include <exception>

#include "graph/io/unfinished_files.hpp"

namespace wayfront::job {

WatchThread::~WatchThread()
{
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    ended_changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

bool WatchThread::start(const std::function<void()>& watch)
{
    const SignalsToOtherThreads signals;  // the thread inherits the mask
    try {
        thread_ = std::thread(watch);
    } catch (const std::exception&) {
        return false;
    }
    return true;
}

bool WatchThread::wait(std::chrono::seconds time)
{
    std::unique_lock lock(mutex_);
    return !ended_changed_.wait_for(lock, time, [this] { return ended_; });
}

}  // namespace wayfront::job
