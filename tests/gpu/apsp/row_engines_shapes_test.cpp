// Compares the engines of all pairs on one GPU with Dijkstra's algorithm from each source: shapes of graphs.
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "row_engines_testing.hpp"

namespace wayfront {
namespace {

/// The shapes are a star in both directions, a complete graph, and a ring. They have hubs, and
/// lists of all lengths.
TEST_F(RowEngines, Shapes)
{
    constexpr std::int64_t n = 300;
    Graph<std::uint32_t> star{n, false, {}};
    Graph<std::uint32_t> ring{n, true, {}};
    Graph<std::uint32_t> complete{60, true, {}};
    for (std::int64_t v = 0; v < n; ++v) {
        if (v > 0) star.edges.push_back({0, v, v % 7});
        ring.edges.push_back({v, (v + 1) % n, v % 3});
    }
    for (std::int64_t u = 0; u < 60; ++u)
        for (std::int64_t v = 0; v < 60; ++v)
            if (u != v) complete.edges.push_back({u, v, 1 + u * v % 100});
    for (const Graph<std::uint32_t>& graph : {star, ring, complete})
        for (const RowMethod* const method : {&RowMethod::elimination, &RowMethod::block, &RowMethod::push_pull,
                                              &RowMethod::combined, &RowMethod::floyd_warshall})
            check<std::uint32_t>(graph, options_of(method, DistanceType::int32, 1000000));
}

/// Arcs that are in no shortest path may have weights that the type of the distances cannot
/// represent, and lengths of other paths may exceed 32 bits.
TEST_F(RowEngines, HeavyArcs)
{
    for (const std::int64_t heavy : {std::int64_t{65535}, (std::int64_t{1} << 31) + 1, (std::int64_t{1} << 32) - 1}) {
        SCOPED_TRACE(heavy);
        Graph<std::uint32_t> graph{5, true, {}};
        for (std::int64_t v = 0; v < 4; ++v) graph.edges.push_back({v, v + 1, 16383});
        graph.edges.push_back({3, 0, 0});
        for (std::int64_t v = 2; v < 5; ++v) graph.edges.push_back({0, v, heavy});
        graph.edges.push_back({1, 4, heavy});
        for (const RowMethod* const method :
             {&RowMethod::elimination, &RowMethod::block, &RowMethod::push_pull, &RowMethod::combined,
              &RowMethod::floyd_warshall, &RowMethod::batched, &RowMethod::batched_unshared, &RowMethod::iterated})
            for (const DistanceType type : {DistanceType::uint16, DistanceType::int32})
                check<std::uint32_t>(graph, options_of(method, type, 65532));
    }
}

/// Some tentative distances exceed 2^31; a heavy arc must not be added to them.
TEST_F(RowEngines, HeavyArcsOfFarVertices)
{
    Graph<std::uint32_t> graph{6,
                               true,
                               {{0, 1, 900000000},
                                {0, 2, 2000000000},
                                {1, 4, 1280000000},
                                {2, 3, 1},
                                {3, 4, 1},
                                {3, 5, 5},
                                {4, 5, 2147483647}}};
    for (std::int64_t v = 1; v < 6; ++v) graph.edges.push_back({v, 0, 0});
    for (const RowMethod* const method : {&RowMethod::elimination, &RowMethod::block, &RowMethod::push_pull,
                                          &RowMethod::combined, &RowMethod::floyd_warshall})
        check<std::uint32_t>(graph, options_of(method, DistanceType::int32, 2000000006));
}

TEST_F(RowEngines, OneLongListForSanitizers)
{
    constexpr std::int64_t n = 4300;
    Graph<std::uint32_t> star{n, false, {}};
    for (std::int64_t v = 1; v < n; ++v) star.edges.push_back({0, v, 1 + v % 90});
    check<std::uint32_t>(star, options_of(&RowMethod::block, DistanceType::int32, 1000000), false);
}

TEST_F(RowEngines, OneSmallGraphForSanitizers)
{
    const Graph<std::uint32_t> graph = random_whole(200, 4, true, 0, 50, 7);
    for (const RowMethod* const method :
         {&RowMethod::elimination, &RowMethod::block, &RowMethod::push_pull, &RowMethod::combined,
          &RowMethod::floyd_warshall, &RowMethod::batched, &RowMethod::batched_unshared, &RowMethod::iterated})
        check<std::uint32_t>(graph, options_of(method, DistanceType::int32, 1000000));
    check_hops(random_whole(200, 4, true, 1, 1, 7));
}

/// There are more sources than concurrent searches.
TEST_F(RowEngines, PushPullForSanitizers)
{
    check<std::uint32_t>(random_whole(150, 6, false, 0, 50, 9),
                         options_of(&RowMethod::push_pull, DistanceType::int32, 1000000));
}

/// The search has many chunks of positions, several groups of sources, and distances in many bins.
TEST_F(RowEngines, EliminationOfALargeGrid)
{
    constexpr std::int64_t side = 100;
    Graph<std::uint32_t> grid{side * side + 3, false, {}};  // the last vertices have no edges
    for (std::int64_t i = 0; i < side * side; ++i) {
        if (i % side + 1 < side) grid.edges.push_back({i, i + 1, i * 7919 % 5000});
        if (i + side < side * side) grid.edges.push_back({i, i + side, i * 104729 % 5000});
    }
    const DistributedGraph graph = construct_alone(ShareFeed<std::uint32_t>(grid, 0, 1));
    RowEngineOptions options = options_of(&RowMethod::elimination, DistanceType::int32, 1000000000);
    check<std::uint32_t>(grid, options, false);
    // Summaries of all rows are compared with summaries of another engine's rows.
    std::vector<Vertex> sources(static_cast<std::size_t>(grid.vertices));
    std::iota(sources.begin(), sources.end(), Vertex{0});
    options.elimination =
        std::make_shared<const algo::Elimination>(algo::eliminate(graph, {.pairs_a_vertex = 1e9}).value());
    options.rows = false;
    const algo::Summary found = summary_of(*gpu::apsp::make_row_engine(graph, options), sources, {}, true);
    const RowEngineOptions searches = options_of(&RowMethod::block, DistanceType::int32, 1000000000);
    expect_same(found, summary_of(*gpu::apsp::make_row_engine(graph, searches), sources, {}, true), true);
}

/// The distances of these vertices fill most of a multiprocessor's shared memory, or do not fit
/// shared memory. Places have 16 bits, or more.
TEST_F(RowEngines, AsManyVerticesAsFitABlock)
{
    for (const std::int64_t n : {50000, 60000, 70000}) {
        const RowEngineOptions options = options_of(&RowMethod::block, DistanceType::int32, 1000000000);
        const Graph<std::uint32_t> graph = random_whole(n, 4, true, 1, 50000, 8);
        check<std::uint32_t>(graph, options, false);
        const DistributedGraph constructed = construct_alone(ShareFeed<std::uint32_t>(graph, 0, 1));
        EXPECT_EQ(is_in_device_memory(*gpu::apsp::make_row_engine(constructed, options)), n > 50000);
    }
}

/// In this graph, a block relaxes the arcs of some vertices together. Paths lead to one of these
/// vertices several times, at smaller and smaller distances.
TEST_F(RowEngines, ListsOfThousandsOfArcs)
{
    constexpr std::int64_t n = 4300;
    constexpr std::int64_t second = 1;
    Graph<std::uint32_t> graph{n, true, {}};
    for (std::int64_t v = 2; v < n; ++v) {
        graph.edges.push_back({0, v, 1 + v * 31 % 900});
        graph.edges.push_back({second, v, 1 + v * 17 % 700});
        if (v + 1 < n && v < 200) graph.edges.push_back({v, v + 1, 1});
        if (v < 200) graph.edges.push_back({v, second, 400 - 2 * v});
        graph.edges.push_back({v, v % 2, 1000 - v % 100});
    }
    for (const RowMethod* const method : {&RowMethod::block, &RowMethod::push_pull, &RowMethod::combined})
        check<std::uint32_t>(graph, options_of(method, DistanceType::int32, 1000000000), false);
    Graph<float> floats{n, true, {}};
    for (const auto& edge : graph.edges)
        floats.edges.push_back({edge.source, edge.target, static_cast<float>(edge.weight)});
    for (const RowMethod* const method : {&RowMethod::block, &RowMethod::push_pull})
        check<float>(floats, options_of(method, DistanceType::float32, 0), false);
}

TEST_F(RowEngines, ObstaclesAreNamed)
{
    const auto obstacle = [](const EdgeFeed& feed, const RowEngineOptions& options) {
        return gpu::apsp::row_engine_obstacle(construct_alone(feed), options);
    };
    const Graph<std::uint32_t> whole = random_whole(20, 3, true, 0, 50, 7);
    const Graph<float> floats = random_floats(20, 3);
    EXPECT_NE(
        obstacle(ShareFeed<std::uint32_t>(whole, 0, 1), options_of(&RowMethod::block, DistanceType::uint16, 65535)),
        "");
    EXPECT_NE(
        obstacle(ShareFeed<std::uint32_t>(whole, 0, 1), options_of(&RowMethod::block, DistanceType::float64, 100)), "");
    for (const RowMethod* const method : {&RowMethod::combined, &RowMethod::batched, &RowMethod::floyd_warshall_steps,
                                          &RowMethod::floyd_warshall_tasks})
        EXPECT_NE(obstacle(ShareFeed<std::uint32_t>(whole, 0, 1), options_of(method, DistanceType::float64, 100)), "");
    EXPECT_EQ(obstacle(ShareFeed<std::uint32_t>(whole, 0, 1),
                       options_of(&RowMethod::floyd_warshall, DistanceType::float64, 100)),
              "");
    const auto doubles = random_weighted_graph<double>(20, 60, true, 0, 1000, 4);
    for (const RowMethod* const method : {&RowMethod::block, &RowMethod::batched, &RowMethod::floyd_warshall_steps})
        EXPECT_NE(obstacle(ShareFeed<double>(doubles, 0, 1), options_of(method, DistanceType::float64, 0)), "");
    EXPECT_EQ(
        obstacle(ShareFeed<double>(doubles, 0, 1), options_of(&RowMethod::floyd_warshall, DistanceType::float64, 0)),
        "");
    EXPECT_NE(
        obstacle(ShareFeed<double>(doubles, 0, 1), options_of(&RowMethod::floyd_warshall, DistanceType::float32, 0)),
        "");
    EXPECT_NE(obstacle(ShareFeed<std::uint32_t>(whole, 0, 1),
                       options_of(&RowMethod::bit_parallel, DistanceType::uint16, 100)),
              "");
    EXPECT_NE(obstacle(ShareFeed<float>(floats, 0, 1), options_of(&RowMethod::combined, DistanceType::float32, 0)), "");
    EXPECT_NE(obstacle(ShareFeed<float>(floats, 0, 1), options_of(&RowMethod::block, DistanceType::int32, 0)), "");
    const Graph<std::uint32_t> large = random_whole(1000000, 2, true, 0, 5, 7);
    EXPECT_NE(
        obstacle(ShareFeed<std::uint32_t>(large, 0, 1), options_of(&RowMethod::block, DistanceType::int32, 100000)),
        "");
}

}  // namespace
}  // namespace wayfront
