// Sources of searches that start from several vertices: distinct, and in ascending order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "base/types.hpp"
#include "support/random_numbers.hpp"

namespace wayfront {

/// At most `count` vertices.
[[nodiscard]] inline std::vector<Vertex> random_sources(std::int64_t vertices, std::size_t count, std::uint64_t seed)
{
    RandomNumbers random(seed);
    std::set<Vertex> sources;
    for (std::size_t i = 0; i < count; ++i)
        sources.insert(static_cast<Vertex>(random.next() % static_cast<std::uint64_t>(vertices)));
    return {sources.begin(), sources.end()};
}

[[nodiscard]] inline std::vector<Vertex> all_vertices(std::int64_t vertices)
{
    std::vector<Vertex> all(static_cast<std::size_t>(vertices));
    std::iota(all.begin(), all.end(), Vertex{0});
    return all;
}

}  // namespace wayfront
