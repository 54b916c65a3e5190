// Arithmetic of distances, for every type of distance and weight, on the host and in kernels.
//
// Sums of floating-point numbers are rounded once per edge, as in Dijkstra's algorithm. Rounded
// addition is monotone, so that every algorithm finds the same smallest sum. Sums of whole numbers
// that the type cannot hold are detected and not used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "algo/sssp/sssp_result.hpp"
#include "base/host_device.hpp"

namespace wayfront::algo {

/// Computes distance + weight, and returns whether it is below `bound`, which is unreached<D>() if
/// there is no bound. Sets `overflow` if there is no bound and the sum exceeds the range of the
/// type. A sum that is too small for the type becomes the smallest value (is_too_small()). Pre:
/// a whole-number distance is not unreached<D>().
template <typename D, typename W>
[[nodiscard]] WAYFRONT_HD inline bool sum_is_below(D distance, W weight, D bound, D& sum, bool& overflow)
{
    constexpr D kFar = unreached<D>();
    if constexpr (std::is_floating_point_v<D>) {
        static_assert(std::is_same_v<D, W>);
        sum = distance + weight;
        if (sum < bound) return true;
        // A finite distance can have an infinite sum. The distance of a vertex that is not reached
        // is infinite.
        overflow = overflow | ((bound == kFar) & (distance < kFar));
        return false;
    } else if constexpr (std::is_same_v<D, std::uint32_t>) {
        const std::uint64_t wide = std::uint64_t{distance} + weight;
        sum = static_cast<std::uint32_t>(wide);
        if (wide < bound) return true;
        if (bound == kFar) overflow = true;
        return false;
    } else {
        const auto step = static_cast<D>(weight);
        sum = static_cast<D>(static_cast<std::uint64_t>(distance) + static_cast<std::uint64_t>(step));
        const bool fits = step < 0 ? sum < distance : sum >= distance;
        if (!fits && step < 0) sum = std::numeric_limits<D>::min();
        if ((fits || step < 0) && sum < bound) return true;
        if (bound == kFar) overflow = true;
        return false;
    }
}

/// Whether a distance marks a sum that is too small for its type. Such a distance is not the length
/// of a path.
template <typename D>
[[nodiscard]] constexpr bool is_too_small(D distance)
{
    if constexpr (std::is_floating_point_v<D>)
        return distance == -std::numeric_limits<D>::infinity();
    else
        return std::is_signed_v<D> && distance == std::numeric_limits<D>::min();
}

/// distance + weight, or the largest distance if the type cannot hold the sum.
template <typename D, typename W>
[[nodiscard]] WAYFRONT_HD inline D saturated_sum(D distance, W weight)
{
    D sum{};
    bool overflow = false;
    if (sum_is_below(distance, weight, unreached<D>(), sum, overflow) || std::is_floating_point_v<D>) return sum;
    return unreached<D>() - 1;
}

/// The sum of the next entry of a list that was pushed up to `bound`; unreached<D>() if there was no
/// bound: the entry and all behind it do not fit the type.
template <typename D, typename W>
[[nodiscard]] WAYFRONT_HD inline D next_sum(D distance, W weight, D bound)
{
    return bound == unreached<D>() ? bound : saturated_sum(distance, weight);
}

/// distance + weight, or unreached<D>() if the type cannot hold the sum or the vertex is not
/// reached. Pre: neither is negative.
template <typename D, typename W>
[[nodiscard]] WAYFRONT_HD inline D capped_sum(D distance, W weight)
{
    if constexpr (std::is_floating_point_v<D>) {
        return distance + weight;
    } else if constexpr (std::is_same_v<D, std::uint32_t>) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{distance} + weight, unreached<D>()));
    } else {
        return static_cast<D>(std::min(static_cast<std::uint64_t>(distance) + static_cast<std::uint64_t>(weight),
                                       static_cast<std::uint64_t>(unreached<D>())));
    }
}

/// The smallest distance that is greater than `distance`.
template <typename D>
[[nodiscard]] D next_distance(D distance)
{
    if (distance == unreached<D>()) return distance;
    if constexpr (std::is_floating_point_v<D>)
        return std::nextafter(distance, unreached<D>());
    else
        return distance + 1;
}

/// The end of a window of width `delta` that begins at `begin`: greater than `begin`, unless that
/// is unreached<D>(), and at most `most`.
template <typename D>
[[nodiscard]] D window_end(D begin, double delta, D most)
{
    const double end = static_cast<double>(begin) + delta;
    if (!(end < static_cast<double>(most))) return most;
    return std::min(most, std::max(next_distance(begin), static_cast<D>(end)));
}

/// The bound below which distances are at most `cutoff`. A floating-point distance is compared with
/// the cutoff rounded to its type, so that a cutoff that is the shortest decimal number of a
/// distance includes this distance. The largest number of a type is no limit.
template <typename D>
[[nodiscard]] D bound_of_cutoff(const Cutoff& cutoff)
{
    if constexpr (std::is_floating_point_v<D>) {
        if (!(cutoff.real <= std::numeric_limits<D>::max())) return unreached<D>();
        return next_distance(static_cast<D>(cutoff.real));
    } else {
        if (cutoff.real < static_cast<double>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
        if (!std::in_range<D>(cutoff.whole)) return unreached<D>();
        return next_distance(static_cast<D>(cutoff.whole));
    }
}

}  // namespace wayfront::algo
