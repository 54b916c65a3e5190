// The progress of a push within a list that is sorted by weight. Free of CUDA's headers.
#pragma once

#include <cstdint>

#include "algo/sssp/distance.hpp"
#include "base/host_device.hpp"

namespace wayfront::gpu::sssp {

template <typename D>
struct ListProgress
{
    std::uint32_t pushed;   // the sums of all entries before this one are below the bound
    D next;                 // sum of entry `pushed`; unreached<D>() if there is no such entry or the sum does not fit
    bool overflow = false;  // see algo::RoundWork
};

/// The progress in a list of `length` entries of which the first `pushed` were pushed before. The
/// search takes steps of doubling length from there, since most windows end after a few entries.
template <typename D, typename W>
[[nodiscard]] WAYFRONT_HD ListProgress<D> advance(const W* weights, std::uint32_t pushed, std::uint32_t length,
                                                  D distance, D bound)
{
    ListProgress<D> progress{pushed, algo::unreached<D>()};
    const auto is_below = [&](std::uint32_t entry) {
        D sum{};
        return algo::sum_is_below(distance, weights[entry], bound, sum, progress.overflow);
    };
    // Sums of entries before `pushed` are below the bound; sums of entries from `end` on are not.
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
