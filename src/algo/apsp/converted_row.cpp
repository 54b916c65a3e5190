#include "algo/apsp/converted_row.hpp"

#include <array>
#include <cstdio>
#include <string>

#include "base/error.hpp"

namespace wayfront::algo {

namespace {

std::string in_words(double distance, bool whole)
{
    if (whole) return std::to_string(static_cast<long long>(distance));
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), "%.6g", distance);
    return text.data();
}

}  // namespace

void fail_to_fit(double distance, DistanceType type, bool whole)
{
    const std::string name(name_of(type));
    const double most = most_distance_of(type, whole);
    const std::string limit = distance >= 0
                                  ? "up to " + in_words(most, whole)
                                  : "from " + in_words(type == DistanceType::uint16 ? 0 : -most, whole) + " on";
    throw InputError("--dtype " + name + ": a distance of " + in_words(distance, whole) + " does not fit " + name +
                     ", which holds " + (whole ? "whole distances " : "distances ") + limit +
                     "; choose another --dtype, or auto");
}

}  // namespace wayfront::algo
