// Distances converted from the type of a computation to that of the rows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include "algo/apsp/distance_type.hpp"
#include "base/error.hpp"

namespace wayfront::algo {

/// Throws InputError: a whole-number distance does not fit a type.
[[noreturn]] inline void fail_to_fit(double distance, DistanceType type)
{
    throw InputError("--dtype " + std::string(name_of(type)) + ": a distance of " + std::to_string(static_cast<long long>(distance)) +
                     " does not fit " + std::string(name_of(type)) + ", which holds whole distances up to " +
                     std::to_string(static_cast<long long>(most_whole_distance(type))) + "; choose another --dtype, or auto");
}

/// Writes read(0), read(1), ... as numbers of type Out. `far` is what read() returns for a vertex
/// that is not reached. Returns the largest whole distance that does not fit, or 0.
template <typename Out, typename D, typename Read>
[[nodiscard]] double convert_row(D far, Read&& read, std::span<Out> out)
{
    [[maybe_unused]] constexpr auto most = static_cast<double>(most_whole_distance(distance_type_of<Out>));
    double too_large = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const D distance = read(i);
        if constexpr (std::is_integral_v<Out>) {
            if (distance != far && static_cast<double>(distance) > most) too_large = static_cast<double>(distance);
        }
        out[i] = distance == far ? unreached<Out>() : static_cast<Out>(distance);
    }
    return too_large;
}

}  // namespace wayfront::algo
