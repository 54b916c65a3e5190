// The types in which all-pairs distances are computed and stored.
//
// Whole-number distances are exact in each type that is wide enough: uint16 and int32 hold whole
// numbers only, float64 holds whole numbers below 2^53. Distances that do not fit are found before
// the search (cpu/apsp/distance_bound.hpp) or when rows are made, never wrapped around.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "graph/distances.hpp"

namespace wayfront::algo {

enum class DistanceType : std::uint8_t { uint16, int32, float32, float64 };

/// Distances in one of the types; the alternatives have the order of DistanceType. A vertex that is
/// not reached has unreached<T>(): 65535, 2^31 - 1, or infinity.
using DistanceSpan = std::variant<std::span<const std::uint16_t>, std::span<const std::int32_t>, std::span<const float>,
                                  std::span<const double>>;

template <typename T>
inline constexpr DistanceType distance_type_of = std::is_same_v<T, std::uint16_t>  ? DistanceType::uint16
                                                 : std::is_same_v<T, std::int32_t> ? DistanceType::int32
                                                 : std::is_same_v<T, float>        ? DistanceType::float32
                                                                                   : DistanceType::float64;

/// Calls f(T{}) for the C++ type T of the distances.
template <typename F>
decltype(auto) with_distance_type(DistanceType type, F&& f)
{
    switch (type) {
        case DistanceType::uint16:
            return f(std::uint16_t{});
        case DistanceType::int32:
            return f(std::int32_t{});
        case DistanceType::float32:
            return f(float{});
        case DistanceType::float64:
            break;
    }
    return f(double{});
}

/// The largest whole number up to which the type holds every whole distance exactly.
[[nodiscard]] constexpr double most_whole_distance(DistanceType type)
{
    constexpr double float32_whole = 1 << std::numeric_limits<float>::digits;
    // 2^53 is also what larger numbers are rounded to.
    constexpr double float64_whole = 0x1p53 - 1;
    switch (type) {
        case DistanceType::uint16:
            return wayfront::unreached<std::uint16_t>() - 1;
        case DistanceType::int32:
            return wayfront::unreached<std::int32_t>() - 1;
        case DistanceType::float32:
            return float32_whole;
        case DistanceType::float64:
            break;
    }
    return float64_whole;
}

/// The largest magnitude of a distance that the type holds: `whole`, exactly, otherwise rounded.
[[nodiscard]] constexpr double most_distance_of(DistanceType type, bool whole)
{
    if (whole) return most_whole_distance(type);
    return type == DistanceType::float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

/// The smallest type that holds all whole distances of up to this magnitude, which is below 2^53.
[[nodiscard]] constexpr DistanceType smallest_whole_type(double magnitude, bool negative)
{
    if (magnitude <= most_whole_distance(DistanceType::uint16) && !negative) return DistanceType::uint16;
    return magnitude <= most_whole_distance(DistanceType::int32) ? DistanceType::int32 : DistanceType::float64;
}

[[nodiscard]] constexpr bool is_whole(DistanceType type)
{
    return type == DistanceType::uint16 || type == DistanceType::int32;
}

[[nodiscard]] constexpr std::size_t bytes_of(DistanceType type)
{
    return type == DistanceType::uint16 ? 2 : type == DistanceType::float64 ? 8 : 4;
}

/// "uint16", "int32", "float32" or "float64".
[[nodiscard]] std::string_view name_of(DistanceType type);
/// No value if there is no type of this name.
[[nodiscard]] std::optional<DistanceType> distance_type_named(std::string_view name);

}  // namespace wayfront::algo
