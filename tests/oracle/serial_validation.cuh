// A serial search, and a serial check of searches. Tests compare the validator with the check. Both
// share no code with the validator.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/kron/kron_device.cuh"
#include "gpu/kron/validation.hpp"

namespace wayfront::gpu::kron {

// Prints a Verdict in the messages of failed assertions.
inline void PrintTo(const Verdict& v, std::ostream* out)
{
    *out << "fault " << static_cast<int>(v.fault) << " of rule " << v.rule << ", vertex " << v.vertex << ", parent "
         << v.parent << ", edge " << v.edge << ", levels " << v.level << " and " << v.other_level << "; tuples "
         << v.component_tuples << ", reached " << v.reached << ", max level " << v.max_level;
}

struct TestGraph
{
    TestGraph(int scale, EdgeCount edge_factor, std::uint64_t seed = 2)
        : source(scale, edge_factor, seed, 3), n(source.vertex_count()), neighbours(static_cast<std::size_t>(n))
    {
        std::vector<PackedEdge> tuples(static_cast<std::size_t>(source.edge_count()));
        source.edges(0, tuples);
        for (const PackedEdge& tuple : tuples) {
            edges.push_back(tuple.unpack());
            neighbours[static_cast<std::size_t>(tuple.source())].push_back(tuple.target());
            neighbours[static_cast<std::size_t>(tuple.target())].push_back(tuple.source());
        }
    }
    [[nodiscard]] bool joined(Vertex u, Vertex v) const
    {
        const auto& list = neighbours[static_cast<std::size_t>(u)];
        return std::find(list.begin(), list.end(), v) != list.end();
    }

    KronSource source;
    Vertex n;
    std::vector<Edge> edges;
    std::vector<std::vector<Vertex>> neighbours;
};

using Parents = std::vector<std::int32_t>;

struct SerialSearch
{
    Parents parents;
    std::vector<std::int64_t> levels;
};

inline SerialSearch serial_search(const TestGraph& graph, Vertex key)
{
    const auto n = static_cast<std::size_t>(graph.n);
    SerialSearch result{Parents(n, -1), std::vector<std::int64_t>(n, -1)};
    std::deque<Vertex> queue{key};
    result.parents[static_cast<std::size_t>(key)] = static_cast<std::int32_t>(key);
    result.levels[static_cast<std::size_t>(key)] = 0;
    for (; !queue.empty(); queue.pop_front()) {
        const Vertex u = queue.front();
        for (const Vertex v : graph.neighbours[static_cast<std::size_t>(u)]) {
            if (result.levels[static_cast<std::size_t>(v)] >= 0) continue;
            result.levels[static_cast<std::size_t>(v)] = result.levels[static_cast<std::size_t>(u)] + 1;
            result.parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(u);
            queue.push_back(v);
        }
    }
    return result;
}

inline Verdict tree_fault(Fault fault, Vertex v, const Parents& parents)
{
    Verdict verdict;
    verdict.fault = fault;
    verdict.rule = 1;
    verdict.vertex = v;
    verdict.parent = parents[static_cast<std::size_t>(v)];
    return verdict;
}

/// The verdict that the validator should reach, found by plain loops over vertices and edges.
inline Verdict serial_verdict(const TestGraph& graph, Vertex key, const Parents& parents)
{
    const auto parent = [&](Vertex v) { return static_cast<Vertex>(parents[static_cast<std::size_t>(v)]); };
    for (Vertex v = 0; v < graph.n; ++v) {
        if (v == key ? parent(v) != key : parent(v) == v)
            return tree_fault(v == key ? Fault::key_parent : Fault::own_parent, v, parents);
        if (parent(v) < -1 || parent(v) >= graph.n) return tree_fault(Fault::parent_range, v, parents);
    }
    for (Vertex v = 0; v < graph.n; ++v) {
        if (parent(v) != -1 && parent(parent(v)) == -1) return tree_fault(Fault::parent_unreached, v, parents);
    }
    std::vector<std::int64_t> levels(static_cast<std::size_t>(graph.n), -1);
    for (Vertex v = 0; v < graph.n; ++v) {
        if (parent(v) == -1) continue;
        std::int64_t steps = 0;
        for (Vertex u = v; u != key && steps <= graph.n; u = parent(u)) ++steps;
        if (steps > graph.n) return tree_fault(Fault::cycle, v, parents);
        levels[static_cast<std::size_t>(v)] = steps;
    }
    Verdict verdict;
    const auto level = [&](Vertex v) { return levels[static_cast<std::size_t>(v)]; };
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        const bool leaves = (level(u) < 0) != (level(v) < 0);
        if (leaves || std::abs(level(u) - level(v)) > 1) {
            verdict.fault = leaves ? Fault::leaves_component : Fault::edge_levels;
            verdict.rule = leaves ? 4 : 3;
            verdict.vertex = u;
            verdict.parent = v;
            verdict.edge = static_cast<EdgeCount>(e);
            verdict.level = level(u);
            verdict.other_level = level(v);
            return verdict;
        }
    }
    for (Vertex v = 0; v < graph.n; ++v) {
        if (level(v) <= 0 || graph.joined(v, parent(v))) continue;
        verdict.fault = Fault::missing_tree_edge;
        verdict.rule = 5;
        verdict.vertex = v;
        verdict.parent = parent(v);
        verdict.level = level(v);
        verdict.other_level = level(parent(v));
        return verdict;
    }
    for (const Edge& edge : graph.edges) verdict.component_tuples += level(edge.source) >= 0 ? 1 : 0;
    for (const std::int64_t l : levels) {
        verdict.reached += l >= 0 ? 1 : 0;
        verdict.max_level = std::max(verdict.max_level, l);
    }
    return verdict;
}

inline void expect_equal(const Verdict& made, const Verdict& expected)
{
    const bool equal = made.fault == expected.fault && made.rule == expected.rule && made.vertex == expected.vertex &&
                       made.parent == expected.parent && made.edge == expected.edge && made.level == expected.level &&
                       made.other_level == expected.other_level && made.component_tuples == expected.component_tuples &&
                       made.reached == expected.reached && made.max_level == expected.max_level;
    EXPECT_TRUE(equal) << "got      " << testing::PrintToString(made) << "\nexpected "
                       << testing::PrintToString(expected);
}

}  // namespace wayfront::gpu::kron
