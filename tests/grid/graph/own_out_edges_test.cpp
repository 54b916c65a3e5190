// Compares the out-edges that each rank gathers for its own vertices with those of the input.
#include "graph/own_out_edges.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "graph/construction.hpp"
#include "support/graphs.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

class OwnOutEdgesTest : public GridTest
{
protected:
    using Weights = std::map<std::pair<Vertex, Vertex>, double>;

    /// The lightest edge from each vertex to each other one.
    template <typename W>
    static Weights lightest(const oracle::WeightedGraph<W>& graph)
    {
        Weights weights;
        const auto add = [&](Vertex from, Vertex to, double weight) {
            if (from == to) return;
            const auto [entry, is_new] = weights.try_emplace({from, to}, weight);
            if (!is_new) entry->second = std::min(entry->second, weight);
        };
        for (const auto& edge : graph.edges) {
            add(edge.source, edge.target, static_cast<double>(edge.weight));
            if (!graph.directed) add(edge.target, edge.source, static_cast<double>(edge.weight));
        }
        return weights;
    }

    template <typename W>
    void check(const oracle::WeightedGraph<OracleWeight<W>>& input, ListOrder order)
    {
        const comm::ProcessGrid grid(world, {ranks, 1});
        const DistributedGraph graph = construct(grid, ShareFeed<W>(input, rank, ranks), {.list_order = order});
        const OwnOutEdges out(world, graph);
        const CsrView lists = out.edges().view();
        const auto& weights = std::get<HostBuffer<W>>(out.weights());
        ASSERT_EQ(weights.size(), out.edges().edges());
        Weights found;
        for (std::uint32_t local = 0; local < graph.local_count(); ++local) {
            const std::uint32_t slot = graph.slot_of_local[local];
            if (slot == graph.block.slot_stride) continue;
            const Vertex vertex = Vertex{local} * ranks + rank;
            for (std::uint64_t i = lists.begin(slot); i < lists.end(slot); ++i) {
                const Vertex end = graph.vertex_of_column[lists.neighbours[i]];
                EXPECT_TRUE(found.try_emplace({vertex, end}, static_cast<double>(weights[i])).second);
                if (i == lists.begin(slot)) continue;
                if (order == ListOrder::weights) {
                    EXPECT_LE(weights[i - 1], weights[i]);
                }
            }
        }
        Weights expected = lightest(input);
        std::erase_if(expected, [this](const auto& entry) { return entry.first.first % ranks != rank; });
        EXPECT_EQ(found, expected);
    }
};

TEST_F(OwnOutEdgesTest, AreThoseOfTheInput)
{
    for (const bool directed : {false, true})
        for (const ListOrder order : {ListOrder::neighbours, ListOrder::weights})
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                SCOPED_TRACE(testing::Message() << (directed ? "directed" : "undirected") << ", seed " << seed);
                check<float>(random_weighted_graph<float>(300, 3000, directed, 0, 50, seed), order);
                check<std::uint32_t>(random_weighted_graph<std::uint32_t>(5000, 9000, directed, 0, 9, seed), order);
            }
    check<float>({5, true, {{0, 4, 2.0F}, {4, 0, 1.0F}, {0, 3, 1.0F}}}, ListOrder::weights);
    check<float>({3, true, {}}, ListOrder::weights);
}

TEST_F(OwnOutEdgesTest, WithoutWeights)
{
    const comm::ProcessGrid grid(world, {ranks, 1});
    const oracle::Graph input = random_graph(500, 4000, true, 5);
    const DistributedGraph graph = construct(grid, ListFeed(share_of(input, Deal::in_turn, rank, ranks)));
    const OwnOutEdges out(world, graph);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(out.weights()));
    const oracle::Lists lists = oracle::followers(input);
    const CsrView view = out.edges().view();
    for (std::uint32_t local = 0; local < graph.local_count(); ++local) {
        const std::uint32_t slot = graph.slot_of_local[local];
        std::vector<std::int64_t> ends;
        if (slot < graph.block.slot_stride)
            for (std::uint64_t i = view.begin(slot); i < view.end(slot); ++i)
                ends.push_back(graph.vertex_of_column[view.neighbours[i]]);
        std::ranges::sort(ends);
        EXPECT_EQ(ends, lists[static_cast<std::size_t>(Vertex{local} * ranks + rank)]);
    }
}

}  // namespace
}  // namespace wayfront
