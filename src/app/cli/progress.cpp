#include "app/cli/progress.hpp"

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

}  // namespace

Progress::Progress(const Job& job, std::string what, std::int64_t total)
    : shown_(job.first() && !job.quiet() && ::isatty(STDERR_FILENO) == 1), what_(std::move(what)), total_(total)
{
    show();
}

Progress::~Progress()
{
    clear();
}

void Progress::clear()
{
    if (!shown_) return;
    std::fputs(kEraseLine, stderr);
    std::fflush(stderr);
}

void Progress::step()
{
    ++done_;
    show();
}

void Progress::show()
{
    if (!shown_) return;
    const Clock::time_point now = Clock::now();
    if (done_ < total_ && seconds_between(last_shown_, now) < kSecondsBetween) return;
    last_shown_ = now;
    std::string line = fmt::format("{}{}: {} of {}", kEraseLine, what_, done_, total_);
    if (done_ > 0 && done_ < total_)
        line += fmt::format(", about {} left",
                            time_in_words(seconds_between(begin_, now) / static_cast<double>(done_) * static_cast<double>(total_ - done_)));
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace wayfront::app
