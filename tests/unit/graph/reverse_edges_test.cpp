#include "graph/reverse_edges.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "graph/construction.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

using Graph = oracle::WeightedGraph<std::int64_t>;
using Arcs = std::set<std::tuple<Vertex, Vertex, std::uint32_t>>;

DistributedGraph construct_alone(const Graph& graph)
{
    return construct(comm::ProcessGrid(comm::Communicator::alone(), {1, 1}), ShareFeed<std::uint32_t>(graph, 0, 1), {});
}

/// The arcs of lists that lead from their owners, or to them.
Arcs arcs_of(const DistributedGraph& graph, const Csr& lists, const BlockWeights& weights, bool from_owner)
{
    Arcs arcs;
    const CsrView view = lists.view();
    for (std::uint32_t owner = 0; owner < lists.lists(); ++owner)
        for (auto i = view.begin(owner); i < view.end(owner); ++i) {
            const Vertex first = graph.vertex_of_column[owner];
            const Vertex other = graph.vertex_of_column[view.neighbours[i]];
            const std::uint32_t weight = std::get<HostBuffer<std::uint32_t>>(weights)[i];
            arcs.insert(from_owner ? std::tuple(first, other, weight) : std::tuple(other, first, weight));
        }
    return arcs;
}

TEST(ReverseEdges, OfDirectedGraphs)
{
    RandomNumbers random(3);
    for (int i = 0; i < 100; ++i) {
        Graph graph{2 + random.below(100), true, {}};
        std::map<std::pair<Vertex, Vertex>, std::int64_t> lightest;
        for (std::uint32_t edge = random.below(400); edge > 0; --edge) {
            const auto vertices = static_cast<std::uint32_t>(graph.vertices);
            const std::int64_t u = random.below(vertices);
            const std::int64_t v = random.below(vertices);
            graph.edges.push_back({u, v, 1 + static_cast<std::int64_t>(random.below(9))});
            if (u == v) continue;
            const auto [entry, is_new] = lightest.try_emplace({v, u}, graph.edges.back().weight);
            entry->second = std::min(entry->second, graph.edges.back().weight);
        }
        Arcs expected;
        for (const auto& [arc, weight] : lightest)
            expected.insert({arc.first, arc.second, static_cast<std::uint32_t>(weight)});

        DistributedGraph reversed = construct_alone(graph);
        if (lightest.empty()) continue;
        reverse_edges(reversed);
        const CsrBlock& block = reversed.block;
        EXPECT_EQ(arcs_of(reversed, block.out_edges(), block.out_weights(), true), expected);
        EXPECT_EQ(arcs_of(reversed, block.in_edges, block.in_weights, false), expected);
        const CsrView in = block.in_edges.view();
        const CsrView out = block.out_edges().view();
        for (std::uint32_t v = 0; v < block.slot_stride; ++v) {
            EXPECT_EQ(block.first_in_neighbour[v], in.begin(v) < in.end(v) ? in.neighbours[in.begin(v)] : block.cols());
            EXPECT_EQ(block.out_degrees[v], out.end(v) - out.begin(v));
        }
        const DistributedGraph before = construct_alone(graph);
        reverse_edges(reversed);
        EXPECT_EQ(arcs_of(reversed, block.out_edges(), block.out_weights(), true),
                  arcs_of(before, before.block.out_edges(), before.block.out_weights(), true));
        EXPECT_TRUE(std::ranges::equal(block.first_in_neighbour, before.block.first_in_neighbour));
        if (testing::Test::HasFailure()) FAIL() << "graph " << i;
    }
}

TEST(ReverseEdges, UndirectedGraphsStay)
{
    const Graph graph{3, false, {{0, 1, 5}, {1, 2, 7}}};
    DistributedGraph reversed = construct_alone(graph);
    const Arcs before = arcs_of(reversed, reversed.block.in_edges, reversed.block.in_weights, true);
    reverse_edges(reversed);
    EXPECT_EQ(arcs_of(reversed, reversed.block.in_edges, reversed.block.in_weights, true), before);
    EXPECT_EQ(before.size(), 4U);
}

}  // namespace
}  // namespace wayfront
