#include "graph/io/declared_graph.hpp"

#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io::DeclaredGraph;

TEST(DeclaredGraph, TakesMoreEdgesThanExpected)
{
    constexpr std::size_t edges = 5000;
    std::size_t announced_bytes = 0;
    ReadOptions options;
    options.before_memory = [&](std::size_t bytes) { announced_bytes = std::max(announced_bytes, bytes); };
    DeclaredGraph graph("file", options, 3);
    graph.add_vertex("a", {});
    graph.add_vertex("b", {});
    for (std::size_t i = 0; i < edges; ++i)
        graph.add_edge(i % 3 == 0 ? "a" : "b", "a", std::to_string(i), {static_cast<long>(i), 1});
    EXPECT_GE(announced_bytes, edges * sizeof(PackedEdge));

    const GraphShare share = graph.finish(true);
    ASSERT_EQ(share.list.edges.size(), edges);
    const std::vector<std::int32_t> weights = io_testing::integers_of(share.list);
    ASSERT_EQ(weights.size(), edges);
    for (std::size_t i = 0; i < edges; ++i) {
        EXPECT_EQ(share.names.place_of(share.list.edges[i].source()), i % 3 == 0 ? 0U : 1U);
        EXPECT_EQ(share.names.place_of(share.list.edges[i].target()), 0U);
        EXPECT_EQ(weights[i], static_cast<std::int32_t>(i));
    }
}

}  // namespace
}  // namespace wayfront
