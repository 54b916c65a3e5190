#include "app/cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace wayfront::app {

namespace {

constexpr double kSecondsBetween = 0.2;
constexpr const char* kEraseLine = "\r\033[K";

std::string time_in_words(double seconds)
{
    const auto whole = std::lround(seconds);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

bool shows_progress(const Job& job)
{
    return job.first() && !job.quiet() && ::isatty(STDERR_FILENO) == 1;
}

}  // namespace

Progress::Progress(const Job& job, std::string what, std::uint64_t total)
    : shown_(shows_progress(job)), what_(std::move(what)), amount_(Amount::count), total_(total)
{
    advance(0);
}

Progress::Progress(const Job& job, std::string what) : shown_(shows_progress(job)), what_(std::move(what)), amount_(Amount::share) {}

Progress::~Progress()
{
    clear();
}

void Progress::clear()
{
    if (!shown_) return;
    const std::lock_guard lock(mutex_);
    std::fputs(kEraseLine, stderr);
    std::fflush(stderr);
}

void Progress::begin(std::string_view step, std::uint64_t total)
{
    if (!shown_) return;
    const std::lock_guard lock(mutex_);
    step_ = step;
    total_ = total;
    done_ = 0;
    begin_ = Clock::now();
    show(0);
}

void Progress::advance(std::uint64_t units)
{
    const std::uint64_t done = done_.fetch_add(units) + units;
    if (!shown_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) show(done);  // otherwise another thread shows it at this moment
}

/// Pre: the mutex is held.
void Progress::show(std::uint64_t done)
{
    const Clock::time_point now = Clock::now();
    if (done < total_ && seconds_between(last_shown_, now) < kSecondsBetween) return;
    last_shown_ = now;
    std::string line = fmt::format("{}{}", kEraseLine, what_);
    if (amount_ == Amount::count) {
        line += fmt::format(": {} of {}", done, total_);
    } else {
        if (!step_.empty()) line += ": " + step_;
        if (total_ > 0) line += fmt::format("{}{}%", step_.empty() ? ": " : " ", 100 * std::min(done, total_) / total_);
    }
    if (done > 0 && done < total_)
        line += fmt::format(", about {} left",
                            time_in_words(seconds_between(begin_, now) / static_cast<double>(done) * static_cast<double>(total_ - done)));
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace wayfront::app
