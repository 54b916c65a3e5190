#include "algo/apsp/distance_type.hpp"

#include <array>

namespace wayfront::algo {

namespace {

// In the order of the enumerators of DistanceType.
constexpr std::array<std::string_view, 4> kNames{"uint16", "int32", "float32", "float64"};

}  // namespace

std::string_view name_of(DistanceType type)
{
    return kNames[static_cast<std::size_t>(type)];
}

std::optional<DistanceType> distance_type_named(std::string_view name)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name) return static_cast<DistanceType>(i);
    return std::nullopt;
}

}  // namespace wayfront::algo
