// The distances that searches for shortest paths return.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>

#include "base/host_buffer.hpp"

namespace wayfront {

/// The distances of a rank's vertices, by local number; unreached<T>() if not reached. Whole
/// numbers have 32 bits if all distances fit. The type is equal on all ranks.
using Distances =
    std::variant<HostBuffer<std::uint32_t>, HostBuffer<std::int64_t>, HostBuffer<float>, HostBuffer<double>>;

/// The distance of a vertex that is not reached: infinity, or the largest whole number.
template <typename T>
[[nodiscard]] constexpr T unreached()
{
    if constexpr (std::is_floating_point_v<T>)
        return std::numeric_limits<T>::infinity();
    else
        return std::numeric_limits<T>::max();
}

}  // namespace wayfront
