// Sums over the OpenMP threads of a rank. Few items never enter OpenMP's runtime, whose regions take a
// microsecond even if one thread runs them: a level of a deep search takes less.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/parallel.hpp"

namespace wayfront {

/// The sum of sum_of(range) over the ranges into which parallel_ranges() divides [0, count).
template <typename F>
[[nodiscard]] std::uint64_t parallel_sum(std::size_t count, std::size_t serial_below, F&& sum_of)
{
    if (count < serial_below) return sum_of(IndexRange{0, count});
    std::atomic<std::uint64_t> sum = 0;
    parallel_ranges(count, serial_below,
                    [&](IndexRange range) { sum.fetch_add(sum_of(range), std::memory_order_relaxed); });
    return sum;
}

}  // namespace wayfront
