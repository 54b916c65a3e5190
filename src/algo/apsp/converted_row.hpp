// Distances converted from the type of a computation to that of the rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/summary.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

/// Throws InputError: a distance does not fit a type. `whole`: all distances are whole numbers.
[[noreturn]] void fail_to_fit(double distance, DistanceType type, bool whole = true);

/// Throws InputError if a distance of the rows in `positions` does not fit `type`. Only the largest
/// distance of each row is known, so negative distances are not checked.
void require_fit(const Summary& summary, IndexRange positions, DistanceType type);

/// The distance of the larger magnitude.
[[nodiscard]] inline double farther(double a, double b)
{
    return std::abs(a) >= std::abs(b) ? a : b;
}

/// Writes read(0), read(1), ... as numbers of type Out. `far` is what read() returns for a vertex
/// that is not reached; `whole`: distances are whole numbers, which Out must hold exactly. Returns
/// the distance of the largest magnitude that Out does not hold, or 0.
template <typename Out, typename D, typename Read>
[[nodiscard]] double convert_row(D far, Read&& read, std::span<Out> out, bool whole = true)
{
    constexpr DistanceType type = distance_type_of<Out>;
    const double most = most_distance_of(type, whole);
    const double least = type == DistanceType::uint16 ? 0 : -most;
    double misfit = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const D distance = read(i);
        if (distance == far) {
            out[i] = unreached<Out>();
            continue;
        }
        if constexpr (std::is_floating_point_v<D> && std::is_same_v<D, Out>) {
            if (!whole) {
                out[i] = distance;
                continue;
            }
        }
        const auto value = static_cast<double>(distance);
        const bool fits = value >= least && value <= most;
        if (!fits) misfit = farther(misfit, value);
        out[i] = fits ? static_cast<Out>(distance) : Out{};
    }
    return misfit;
}

}  // namespace wayfront::algo
