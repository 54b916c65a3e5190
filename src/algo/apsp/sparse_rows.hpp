// Rows of all pairs of which only some entries are known, as compressed sparse rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "algo/apsp/distance_type.hpp"

namespace wayfront::algo {

/// Distances of one of the types; the alternatives have the order of DistanceType.
using DistanceVector =
    std::variant<std::vector<std::uint16_t>, std::vector<std::int32_t>, std::vector<float>, std::vector<double>>;

/// Row i has the entries begins[i] to begins[i + 1] - 1.
struct SparseRows
{
    std::vector<std::uint64_t> begins{0};  // of each row, and the end of the last
    std::vector<std::uint32_t> targets;    // ascending in each row
    DistanceVector distances;              // to the targets

    [[nodiscard]] std::size_t rows() const { return begins.size() - 1; }
    [[nodiscard]] std::size_t entries() const { return targets.size(); }
    [[nodiscard]] std::size_t bytes() const
    {
        const std::size_t of_distance =
            std::visit([]<typename T>(const std::vector<T>&) { return sizeof(T); }, distances);
        return begins.size() * sizeof(std::uint64_t) + entries() * (sizeof(std::uint32_t) + of_distance);
    }
};

}  // namespace wayfront::algo
