// Pairs of vertices, and shortest paths between them.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "base/types.hpp"

namespace wayfront::algo {

struct VertexPair
{
    Vertex source;
    Vertex target;
};

struct PairAnswer
{
    /// In the type of the weights; no value if there is no path.
    std::optional<std::variant<std::int64_t, float, double>> distance;
    /// The vertices of a shortest path, both ends included; empty if there is none, or if paths are not requested.
    std::vector<Vertex> path;
};

}  // namespace wayfront::algo
