// The graphs of the papers that papers_apsp.cu repeats: directed, with whole weights from 1 on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "graph/edge_list.hpp"

namespace wayfront::bench {

struct Arc
{
    std::int64_t source, target;
    std::int32_t weight;
};

inline EdgeList list_of(std::int64_t n, bool directed, const std::vector<Arc>& arcs)
{
    EdgeList list;
    list.vertex_count = n;
    list.directed = directed;
    list.edges = HostBuffer<PackedEdge>(arcs.size());
    HostBuffer<std::int32_t> weights(arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        list.edges[i] = PackedEdge::pack(arcs[i].source, arcs[i].target);
        weights[i] = arcs[i].weight;
    }
    list.weights = std::move(weights);
    return list;
}

inline EdgeList random_graph(std::int64_t n, std::int64_t edges, std::int32_t most_weight)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(n + edges));
    std::vector<Arc> arcs;
    const auto below = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
    };
    for (std::int64_t i = 0; i < edges; ++i)
        arcs.push_back({below(n), below(n), static_cast<std::int32_t>(1 + below(most_weight))});
    return list_of(n, true, arcs);
}

/// R-MAT with the probabilities of GTgraph.
inline EdgeList rmat_graph(std::int64_t n, std::int64_t edges, std::int32_t most_weight)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> place(0, 1);
    std::vector<Arc> arcs;
    while (static_cast<std::int64_t>(arcs.size()) < edges) {
        std::int64_t u = 0;
        std::int64_t v = 0;
        for (std::int64_t bit = 1; bit < n; bit *= 2) {
            const double quadrant = place(random);
            u = 2 * u + (quadrant >= 0.6 ? 1 : 0);
            v = 2 * v + ((quadrant >= 0.45 && quadrant < 0.6) || quadrant >= 0.75 ? 1 : 0);
        }
        if (u < n && v < n && u != v)
            arcs.push_back({u, v, static_cast<std::int32_t>(1 + random() % static_cast<std::uint64_t>(most_weight))});
    }
    return list_of(n, true, arcs);
}

inline EdgeList ring_graph(std::int64_t n)
{
    std::vector<Arc> arcs;
    for (std::int64_t v = 0; v < n; ++v) arcs.push_back({v, (v + 1) % n, 1});
    return list_of(n, true, arcs);
}

inline EdgeList complete_graph(std::int64_t n)
{
    std::vector<Arc> arcs;
    for (std::int64_t u = 0; u < n; ++u)
        for (std::int64_t v = 0; v < n; ++v)
            if (u != v) arcs.push_back({u, v, 1});
    return list_of(n, true, arcs);
}

}  // namespace wayfront::bench
