// Graphs of every shape with weights of every kind, for searches for shortest paths.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "support/random_numbers.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {

enum class WeightRange {
    small,    // 0 to 3: many zeros, and many paths of equal length
    zero,     // 0
    unit,     // 1
    largest,  // 2^32 - 1, as whole numbers and as floating-point numbers
    // Weights of very different magnitudes; whole numbers up to 2^32 - 1, or 2^50 if they have 64 bits.
    any,
};
inline constexpr std::array kWeightRanges{WeightRange::small, WeightRange::zero, WeightRange::unit,
                                          WeightRange::largest, WeightRange::any};

/// A random weight of type W, as the oracle stores it.
template <typename W>
OracleWeight<W> random_weight(RandomNumbers& random, WeightRange kind)
{
    using O = OracleWeight<W>;
    switch (kind) {
        case WeightRange::small:
            return static_cast<O>(random.below(4));
        case WeightRange::zero:
            return O{0};
        case WeightRange::unit:
            return O{1};
        case WeightRange::largest:
            return static_cast<O>(0xFFFFFFFF);
        case WeightRange::any:
            break;
    }
    if constexpr (std::is_floating_point_v<W>) {
        const double fraction = 1.0 + 0x1p-20 * random.below(1 << 20);
        return static_cast<O>(std::ldexp(fraction, static_cast<int>(random.below(60)) - 40));
    } else {
        return static_cast<O>((random.next() & 0xFFFFFFFF) >> random.below(32))
               << (sizeof(W) == 8 ? random.below(19) : 0);
    }
}

enum class Shape { random, path, ring, star, complete, grid, parts };
inline constexpr std::array kShapes{Shape::random,   Shape::path, Shape::ring, Shape::star,
                                    Shape::complete, Shape::grid, Shape::parts};
inline constexpr std::array<std::string_view, kShapes.size()> kShapeNames{"random",   "path", "ring", "star",
                                                                          "complete", "grid", "parts"};

/// A graph of up to about `size` edges, directed or not. Its edges are in any order and in any
/// direction if it is directed; some have a duplicate of another weight or are self-loops.
template <typename W>
oracle::WeightedGraph<OracleWeight<W>> shaped_graph(RandomNumbers& random, Shape shape, std::uint32_t size,
                                                    WeightRange kind)
{
    oracle::WeightedGraph<OracleWeight<W>> graph{1, random.chance(0.4), {}};
    const auto connect = [&](std::int64_t u, std::int64_t v) {
        if (random.chance(0.25)) std::swap(u, v);
        graph.edges.push_back({u, v, random_weight<W>(random, kind)});
    };
    const auto connect_at_random = [&](std::uint32_t first, std::uint32_t vertices, std::uint32_t edges) {
        for (std::uint32_t i = 0; i < edges; ++i)
            connect(first + random.below(vertices), first + random.below(vertices));
    };
    const std::uint32_t n = 1 + random.below(size);
    graph.vertices = n;
    switch (shape) {
        case Shape::random:
            graph.vertices = 1 + n / 3;
            connect_at_random(0, 1 + n / 3, n);
            break;
        case Shape::path:
        case Shape::ring:
            for (std::uint32_t v = 0; v + 1 < n; ++v) connect(v, v + 1);
            if (shape == Shape::ring) connect(n - 1, 0);
            break;
        case Shape::star:
            for (std::uint32_t v = 1; v < n; ++v) connect(0, v);
            break;
        case Shape::complete:
            graph.vertices = 1 + static_cast<std::int64_t>(std::sqrt(2 * n));
            for (std::int64_t u = 0; u < graph.vertices; ++u)
                for (std::int64_t v = u + 1; v < graph.vertices; ++v) connect(u, v);
            break;
        case Shape::grid: {
            const auto side = 1 + static_cast<std::int64_t>(std::sqrt(n / 2));
            graph.vertices = side * side;
            for (std::int64_t v = 0; v < graph.vertices; ++v) {
                if (v % side + 1 < side) connect(v, v + 1);
                if (v + side < graph.vertices) connect(v, v + side);
            }
            break;
        }
        case Shape::parts: {
            // Three graphs. The last one has vertices without edges.
            const std::uint32_t part = 1 + n / 9;
            graph.vertices = 3 * std::int64_t{part} + 2;
            for (std::uint32_t i = 0; i < 3; ++i) connect_at_random(i * part, part, part * (3 - i));
            break;
        }
    }
    if (random.chance(0.3)) connect_at_random(0, static_cast<std::uint32_t>(graph.vertices), 1);
    const std::size_t edges = graph.edges.size();
    for (std::size_t i = 0; i < edges; i += 8) connect(graph.edges[i].source, graph.edges[i].target);
    return graph;
}

}  // namespace wayfront
