// The time of work that is repeated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/phase.hpp"

namespace wayfront {

/// The least seconds of call(0), call(1), ..., call(most_calls - 1). No call begins after the calls
/// together have taken `enough_seconds`. Infinity without a call.
template <typename Call>
[[nodiscard]] double least_seconds(std::size_t most_calls, double enough_seconds, Call&& call)
{
    double least = std::numeric_limits<double>::infinity();
    double all = 0;
    for (std::size_t i = 0; i < most_calls && all < enough_seconds; ++i) {
        const Clock::time_point begin = Clock::now();
        call(i);
        const double seconds = seconds_between(begin, Clock::now());
        least = std::min(least, seconds);
        all += seconds;
    }
    return least;
}

}  // namespace wayfront
