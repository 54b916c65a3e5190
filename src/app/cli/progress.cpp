#include "app/cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace wayfront::app {

namespace {

constexpr double kSecondsBetween = 0.2;      // on a terminal
constexpr double kSecondsBetweenLines = 10;  // in a log
constexpr const char* kEraseLine = "\r\033[K";

std::string time_in_words(double seconds)
{
    const auto whole = std::lround(seconds);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

ShownProgress::ShownProgress(ProgressLines lines, Clock::time_point& last_line, std::string what, std::uint64_t total)
    : lines_(lines), last_line_(last_line), what_(std::move(what)), amount_(Amount::count), total_(total), ended_(false)
{
    advance(0);
}

ShownProgress::ShownProgress(ProgressLines lines, Clock::time_point& last_line, std::string what)
    : lines_(lines), last_line_(last_line), what_(std::move(what)), amount_(Amount::share)
{
}

ShownProgress::~ShownProgress()
{
    clear();
}

void ShownProgress::clear()
{
    if (lines_ != ProgressLines::changing) return;
    const std::lock_guard lock(mutex_);
    std::fputs(kEraseLine, stderr);
    std::fflush(stderr);
}

void ShownProgress::begin(std::string_view step, std::uint64_t total)
{
    const std::lock_guard lock(mutex_);
    step_ = step;
    total_ = total;
    done_ = 0;
    ended_ = false;
    begin_ = Clock::now();
    show(0);
}

void ShownProgress::advance(std::uint64_t units)
{
    const std::uint64_t done = done_.fetch_add(units) + units;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) show(done);  // otherwise another thread shows it at this moment
}

/// Pre: the mutex is held.
void ShownProgress::show(std::uint64_t done)
{
    const Clock::time_point now = Clock::now();
    const bool ends = done >= total_ && !ended_;
    if (lines_ == ProgressLines::changing) {
        if (done < total_ && seconds_between(last_shown_, now) < kSecondsBetween) return;
        std::fprintf(stderr, "%s%s", kEraseLine, in_words(done, now).c_str());
    } else {
        if (!(ends && lines_ == ProgressLines::each) && seconds_between(last_line_, now) < kSecondsBetweenLines) return;
        ended_ = ended_ || ends;
        last_line_ = now;
        const std::string so_far = done > 0 ? " after " + time_in_words(seconds_between(begin_, now)) : "";
        std::fprintf(stderr, "wayfront: progress: %s\n", (in_words(done, now) + so_far).c_str());
    }
    last_shown_ = now;
    std::fflush(stderr);
}

std::string ShownProgress::in_words(std::uint64_t done, Clock::time_point now) const
{
    std::string words = what_;
    if (amount_ == Amount::count) {
        words += fmt::format(": {} of {}", done, total_);
    } else {
        if (!step_.empty()) words += ": " + step_;
        if (total_ > 0)
            words += fmt::format("{}{}%", step_.empty() ? ": " : " ", 100 * std::min(done, total_) / total_);
    }
    if (done > 0 && done < total_)
        words += fmt::format(", about {} left", time_in_words(seconds_between(begin_, now) / static_cast<double>(done) *
                                                              static_cast<double>(total_ - done)));
    return words;
}

}  // namespace wayfront::app
