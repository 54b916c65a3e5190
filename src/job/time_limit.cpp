#include "job/time_limit.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>

#include "comm/agreement.hpp"
#include "job/end_of_rank.hpp"

namespace wayfront::job {

namespace {

constexpr int kTurnSeconds = 2;
constexpr int kMostTurns = 5;

}  // namespace

TimeLimit::TimeLimit(int seconds, std::string step, int rank) : seconds_(seconds), step_(std::move(step)), rank_(rank)
{
    if (seconds == 0) return;
    // Signals are handled by the main thread.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        thread_ = std::thread([this] { watch(); });
    } catch (const std::exception&) {
        seconds_ = 0;  // The job can do without the limit.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TimeLimit::~TimeLimit()
{
    {
        const std::lock_guard lock(mutex_);
        done_ = true;
    }
    done_changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

bool TimeLimit::wait(int seconds)
{
    std::unique_lock lock(mutex_);
    // One second at a time, so that a job that is stopped as a whole loses no time.
    for (int i = 0; i < seconds; ++i)
        if (done_changed_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) return false;
    return !done_;
}

void TimeLimit::watch()
{
    if (!wait(seconds_) || !wait(kTurnSeconds * std::min(rank_, kMostTurns))) return;
    end_rank(fmt::format("{} has taken more than {} seconds (--timeout) (rank {} on {})", step_, seconds_, rank_,
                         comm::host_name()));
}

}  // namespace wayfront::job
