// How far a push in a window gets in a list that is sorted by weight. Free of CUDA's headers.
#pragma once

#include <cstdint>

#include "algo/sssp/distance.hpp"
#include "base/host_device.hpp"

namespace wayfront::gpu::sssp {

template <typename D>
struct ListProgress
{
    std::uint32_t pushed;   // the entries before it have sums below the bound
    D next;                 // the sum of the next entry; unreached<D>() if there is none that fits
    bool overflow = false;  // as in algo::RoundWork
};

/// The progress in a list of `length` entries, of which the first `pushed` were pushed before. From
/// there on the search takes steps of doubling length, since most windows end after a few entries.
template <typename D, typename W>
[[nodiscard]] WAYFRONT_HD ListProgress<D> advance(const W* weights, std::uint32_t pushed, std::uint32_t length,
                                                  D distance, D bound)
{
    ListProgress<D> progress{pushed, algo::unreached<D>()};
    const auto is_below = [&](std::uint32_t entry) {
        D sum{};
        return algo::sum_is_below(distance, weights[entry], bound, sum, progress.overflow);
    };
    // The sums before `pushed` are below the bound, those from `end` on are not.
    std::uint32_t end = length;
    for (std::uint32_t step = 1; progress.pushed < end; step *= 2) {
        const std::uint32_t entry = step <= end - progress.pushed ? progress.pushed + step - 1 : end - 1;
        if (!is_below(entry)) {
            end = entry;
            break;
        }
        progress.pushed = entry + 1;
    }
    while (progress.pushed < end) {
        const std::uint32_t middle = progress.pushed + (end - progress.pushed) / 2;
        if (is_below(middle))
            progress.pushed = middle + 1;
        else
            end = middle;
    }
    if (progress.pushed < length) progress.next = algo::next_sum(distance, weights[progress.pushed], bound);
    return progress;
}

}  // namespace wayfront::gpu::sssp
