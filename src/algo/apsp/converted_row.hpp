// Distances converted from the type of a computation to that of the rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

#include "algo/apsp/distance_type.hpp"

namespace wayfront::algo {

/// Throws InputError: a distance does not fit a type. `whole`: all distances are whole numbers.
[[noreturn]] void fail_to_fit(double distance, DistanceType type, bool whole);

/// The distance of the larger magnitude.
[[nodiscard]] inline double farther(double a, double b)
{
    return std::abs(a) >= std::abs(b) ? a : b;
}

/// Writes read(0), read(1), ... as numbers of type Out. `far` is what read() returns for a vertex
/// that is not reached; `whole`: distances are whole numbers, which Out must hold exactly. Returns 0,
/// or the distance of the largest magnitude if Out does not hold it; then nothing is written.
template <typename Out, typename D, typename Read>
[[nodiscard]] double convert_row(D far, Read&& read, std::span<Out> out, bool whole)
{
    if (whole || !std::is_same_v<D, Out>) {
        D least = std::numeric_limits<D>::max();
        D most = std::numeric_limits<D>::lowest();
        for (std::size_t i = 0; i < out.size(); ++i) {
            const D distance = read(i);
            least = std::min(least, distance == far ? least : distance);
            most = std::max(most, distance == far ? most : distance);
        }
        constexpr DistanceType type = distance_type_of<Out>;
        const double limit = most_distance_of(type, whole);
        const auto fits = [&](D distance) {
            const auto value = static_cast<double>(distance);
            return value >= (type == DistanceType::uint16 ? 0 : -limit) && value <= limit;
        };
        if (least <= most && !(fits(least) && fits(most)))
            return fits(most)    ? static_cast<double>(least)
                   : fits(least) ? static_cast<double>(most)
                                 : farther(static_cast<double>(least), static_cast<double>(most));
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        const D distance = read(i);
        out[i] = distance == far ? unreached<Out>() : static_cast<Out>(distance);
    }
    return 0;
}

}  // namespace wayfront::algo
