// Unweighted graphs and the numbers of edges between their vertices, for tests of counts on GPUs.
#pragma once

#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "gpu/apsp/hops/bit_parallel.hpp"
#include "graph/construction.hpp"
#include "graph/edge_list.hpp"

namespace wayfront {

struct Arcs
{
    std::uint32_t vertices = 0;
    bool directed = true;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
};

inline Arcs random_arcs(std::uint32_t vertices, std::uint32_t degree, bool directed, std::uint32_t seed)
{
    Arcs arcs{vertices, directed, {}};
    std::mt19937 random(seed);
    for (std::uint64_t i = 0; i < std::uint64_t{vertices} * degree; ++i) {
        const auto from = static_cast<std::uint32_t>(random() % vertices);
        arcs.pairs.emplace_back(from, static_cast<std::uint32_t>(random() % vertices));
    }
    return arcs;
}

inline DistributedGraph construct_alone(const Arcs& arcs)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    EdgeList list;
    list.vertex_count = arcs.vertices;
    list.directed = arcs.directed;
    list.edges = HostBuffer<PackedEdge>(arcs.pairs.size());
    for (std::size_t i = 0; i < arcs.pairs.size(); ++i)
        list.edges[i] = PackedEdge::pack(arcs.pairs[i].first, arcs.pairs[i].second);
    return construct(grid, ListFeed(list));
}

struct ExpectedHops
{
    std::vector<gpu::apsp::HopFacts> facts;
    std::vector<std::uint64_t> levels;
};

/// Breadth-first search from each source.
inline ExpectedHops search_each(const Arcs& arcs, const std::vector<std::uint32_t>& sources)
{
    std::vector<std::vector<std::uint32_t>> out(arcs.vertices);
    for (const auto& [from, to] : arcs.pairs) {
        out[from].push_back(to);
        if (!arcs.directed) out[to].push_back(from);
    }
    ExpectedHops expected;
    for (const std::uint32_t source : sources) {
        gpu::apsp::HopFacts facts{0, 0, 0};
        std::vector<std::uint32_t> distances(arcs.vertices, ~0U);
        std::vector<std::uint32_t> queue{source};
        distances[source] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const std::uint32_t to : out[queue[i]]) {
                if (distances[to] != ~0U) continue;
                const std::uint32_t distance = distances[queue[i]] + 1;
                distances[to] = distance;
                queue.push_back(to);
                ++facts.reached;
                facts.sum += distance;
                facts.eccentricity = distance;
                if (expected.levels.size() < distance) expected.levels.resize(distance);
                ++expected.levels[distance - 1];
            }
        expected.facts.push_back(facts);
    }
    return expected;
}

[[nodiscard]] inline std::vector<std::uint32_t> all_vertices(const Arcs& arcs)
{
    std::vector<std::uint32_t> all(arcs.vertices);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

}  // namespace wayfront
