#include "job/time_limit.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "job/end_of_rank.hpp"

namespace wayfront::job {

namespace {

constexpr int kStaggerSeconds = 2;
constexpr int kMostStaggeredRanks = 5;

}  // namespace

TimeLimit::TimeLimit(int seconds, std::string step, int rank) : seconds_(seconds), step_(std::move(step)), rank_(rank)
{
    if (seconds == 0) return;
    if (!thread_.start([this] { watch(); })) seconds_ = 0;  // The job can do without the limit.
}

bool TimeLimit::wait(int seconds)
{
    // One second at a time, so that a job that is stopped as a whole loses no time.
    for (int i = 0; i < seconds; ++i)
        if (!thread_.wait(std::chrono::seconds(1))) return false;
    return true;
}

void TimeLimit::watch()
{
    if (!wait(seconds_) || !wait(kStaggerSeconds * std::min(rank_, kMostStaggeredRanks))) return;
    end_rank(fmt::format("{} has taken more than {} seconds (--timeout) (rank {} on {})", step_, seconds_, rank_,
                         comm::host_name()));
}

}  // namespace wayfront::job
