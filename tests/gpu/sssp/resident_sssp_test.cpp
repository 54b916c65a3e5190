// Compares shortest paths on one GPU with Dijkstra's algorithm: kinds of graphs.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "resident_sssp_testing.hpp"

namespace wayfront {
namespace {

TEST_F(ResidentSsspTest, SmallRandomGraphs)
{
    for (std::uint64_t seed = 0; seed < 40; seed += seed < 8 ? 1 : 5) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto vertices = static_cast<std::int64_t>(1 + seed * seed / 4);
        const bool directed = seed % 3 == 0;
        check_all_ways<float>(random_weighted_graph<float>(vertices, seed * 37, directed, 0, 1000, seed),
                              {0, vertices / 2});
        check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(vertices, seed * 11, directed, 0, 30, seed),
                                      {vertices - 1});
    }
}

/// The search takes all kinds of steps: rounds, windows, long lists, and both kinds of pulls.
TEST_F(ResidentSsspTest, OneSmallSearchForSanitizers)
{
    auto graph = random_weighted_graph<float>(3000, 9000, false, 0, 1000, 8);
    for (std::int64_t v = 1; v < graph.vertices; ++v) graph.edges.push_back({0, v, static_cast<float>(v) / 3000});
    check_tuned<float>(graph, {1}, {.width = 0.05, .pull_from = 0.3});
    check_tuned<float>(graph, {1},
                       {.width = 0.05, .pull_from = 0.3, .single_block_vertices = 0, .hubs = 16, .open_for_push = 0});
    check_tuned<float>(graph, {1}, {.width = 0.3, .pull_from = 2, .near_far = false}, kPushPull);
    check_near_far<float>(graph, {1}, 0.3, kNearFarAtFirst);
}

/// If pulls improve few vertices, these vertices push, and fewer pulls follow.
TEST_F(ResidentSsspTest, FewImprovedVerticesPushAgain)
{
    const SsspTuning tuning{.width = 2, .pull_from = 0.001, .near_far = false, .open_for_push = 0};
    check_tuned<float>(path_and_hub(30, 300), {0, 15}, tuning, kPushPull);
    const auto graph = path_and_hub(4000, 0);
    check_tuned<float>(graph, {0, 2000}, tuning, kPushPull);
    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    gpu::sssp::DeviceSssp search(
        grid, construct(grid, ShareFeed<float>(graph, 0, 1), {.list_order = ListOrder::weights}), tuning);
    search.run(0);
    std::vector<std::string> steps;
    for (const gpu::sssp::SsspStepRecord& record : search.facts().records)
        if (steps.empty() || steps.back() != record.step) steps.emplace_back(record.step);
    ASSERT_GE(steps.size(), 2U);
    EXPECT_EQ(steps.back(), "push again");
    EXPECT_EQ(std::ranges::count(steps, "push again"), 1);
}

/// In a directed graph, pulls read lists of in-arcs.
TEST_F(ResidentSsspTest, DirectedGraphs)
{
    check_all_ways<float>(random_weighted_graph<float>(6000, 60000, true, 0, 1 << 20, 7), {0, 5999}, kAnySearch);
    check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(3000, 30000, true, 0, 5, 7), {0, 2999},
                                  kAnySearch);
    check_tuned<float>(random_weighted_graph<float>(40000, 600000, true, 0, 1 << 20, 7), {0, 39999}, {}, kPushPull);
    check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(40000, 600000, true, 1, 255, 7), {0, 39999}, {},
                               kPushPull);
}

/// Vertices of each kind are sources.
TEST_F(ResidentSsspTest, LeavesOfDirectedGraphs)
{
    const auto graph = directed_core_with_leaves(60000, 2000, 200);
    const std::vector<std::int64_t> sources{0, 2000, 3999, 4000, 5999, 6000, 6001, 6399};
    check_tuned<std::uint32_t>(graph, sources, {}, kPushPull);
    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const DistributedGraph distributed =
        construct(grid, ShareFeed<std::uint32_t>(graph, 0, 1), {.list_order = ListOrder::weights});
    gpu::sssp::DeviceSssp search(grid, distributed, {});
    ASSERT_TRUE(search.pulls());
    for (const std::int64_t source : sources) {
        search.run(source);
        EXPECT_FALSE(search.overflowed()) << "source " << source;
    }
}

TEST_F(ResidentSsspTest, ARandomGraphOfManyBlocks)
{
    const auto graph = random_weighted_graph<float>(40000, 600000, false, 0, 1 << 20, 7);
    check_tuned<float>(graph, {0, 1, 39999}, {}, kPushPull);
    check_tuned<float>(graph, {5}, {.width = 0.01, .pull_from = 0.2}, kPushPull);
    check_tuned<float>(graph, {6}, {.width = 0.5, .pull_from = 2, .near_far = false}, kPushPull);
    // This sparse graph cannot be divided into parts with short borders. Near-far searches it only
    // if the tuning asks for near-far.
    const auto sparse = random_weighted_graph<float>(100000, 200000, false, 1, 1 << 10, 8);
    check_tuned<float>(sparse, {6, 7}, {}, kPushPull);
    for (const double width : {0.5, 100.0, 1e6}) check_near_far<float>(sparse, {6, 7}, width);
}

/// A rectangle with a few diagonals. Vertices have up to 8 neighbours, and near-far divides the
/// graph into parts.
template <typename W>
oracle::WeightedGraph<OracleWeight<W>> roads(std::int64_t width, std::int64_t height, std::uint64_t most_weight,
                                             bool directed)
{
    oracle::WeightedGraph<OracleWeight<W>> graph{width * height, directed, {}};
    RandomNumbers random(most_weight);
    const auto join = [&](std::int64_t a, std::int64_t b) {
        const auto weight = [&] { return static_cast<OracleWeight<W>>(1 + random.next() % most_weight); };
        graph.edges.push_back({a, b, weight()});
        if (directed) graph.edges.push_back({b, a, weight()});
    };
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x) {
            const std::int64_t v = y * width + x;
            if (x + 1 < width) join(v, v + 1);
            if (y + 1 < height) join(v, v + width);
            if (x + 1 < width && y + 1 < height && random.next() % 8 == 0) join(v, v + width + 1);
        }
    return graph;
}

TEST_F(ResidentSsspTest, APartOfTheRoadsForEachBlock)
{
    for (const bool directed : {false, true})
        for (const std::uint64_t most_weight : {std::uint64_t{1}, std::uint64_t{10}, std::uint64_t{100000}}) {
            SCOPED_TRACE("weights up to " + std::to_string(most_weight) + (directed ? ", directed" : ""));
            const auto whole = roads<std::uint32_t>(500, 300, most_weight, directed);
            const auto floats = roads<float>(60, 50, most_weight, directed);
            check_tuned<std::uint32_t>(whole, {0, 75250, 149999}, {}, kNearFar);
            for (const double means : {0.1, 2.0, 1000.0}) {
                const double width = means * static_cast<double>(most_weight);
                check_near_far<std::uint32_t>(whole, {100, 77777}, width);
                check_near_far<float>(floats, {0, 1234}, width);
            }
        }
    // The ends of arcs of length 0 have no parent at a smaller distance, so that push-pull replaces
    // near-far.
    auto flat = roads<std::uint32_t>(200, 200, 3, false);
    for (auto& edge : flat.edges) --edge.weight;
    check_tuned<std::uint32_t>(flat, {0, 20000}, {}, kNearFarGivenUp);
    // The parts have no arcs from other parts, and there is a source in each part.
    auto islands = roads<float>(300, 200, 50, false);
    std::erase_if(islands.edges, [](const auto& edge) { return (edge.source / 300 / 20) != (edge.target / 300 / 20); });
    check_tuned<float>(islands, {0, 30000, 59999}, {}, kNearFar);
}

/// A source without edges reaches no vertex, and the next search must work.
TEST_F(ResidentSsspTest, NearFarFromVerticesWithoutEdges)
{
    auto floats = roads<float>(60, 50, 10, false);
    auto whole = roads<std::uint32_t>(60, 50, 10, false);
    floats.vertices = whole.vertices = 3002;
    check_tuned<float>(floats, {3000, 0, 3001, 3001, 1234}, {}, kNearFar);
    check_tuned<std::uint32_t>(whole, {3000, 0, 3001, 3001, 1234}, {}, kNearFar);
}

/// The list of vertex 1 is empty and begins at the end of all arcs.
TEST_F(ResidentSsspTest, PushPullFromAVertexWithoutOutEdges)
{
    const SsspTuning no_near_far{.near_far = false};
    const oracle::WeightedGraph<std::int64_t> whole{70, true, {{0, 1, 7}}};
    check_tuned<std::uint32_t>(whole, {1, 0}, no_near_far, kPushPull);
    const oracle::WeightedGraph<float> floats{70, true, {{0, 1, 0.5F}}};
    check_tuned<float>(floats, {1, 0}, no_near_far, kPushPull);
}

/// The sum of a small and a large float may be equal to the large float. An arc with the small
/// weight then acts as an arc of length 0.
TEST_F(ResidentSsspTest, NearFarWithWeightsThatSumsLose)
{
    oracle::WeightedGraph<float> path{3000, false, {}};
    for (std::int64_t v = 1; v < path.vertices; ++v) path.edges.push_back({v - 1, v, v % 10 == 9 ? 1e-6F : 1000.0F});
    check_tuned<float>(path, {0, 1500}, {}, kNearFarGivenUp);
}

TEST_F(ResidentSsspTest, StarsOfManyRays)
{
    check_all_ways<float>(stars_of_many_rays(), {0, 2, 59999}, kAnySearch);
}

/// A search begins while the memory of the previous search is still being cleared. The components
/// have different distances, so that the test would see outdated bounds.
TEST_F(ResidentSsspTest, SearchesFollowEachOtherAtOnce)
{
    constexpr std::int64_t half = 200000;
    oracle::WeightedGraph<float> graph = random_weighted_graph<float>(half, 1600000, false, 1, 1000, 17);
    const std::size_t edges = graph.edges.size();
    for (std::size_t i = 0; i < edges; ++i) {
        const auto [source, target, weight] = graph.edges[i];
        graph.edges.push_back({source + half, target + half, weight / 2});
    }
    graph.vertices = 2 * half;
    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const DistributedGraph distributed =
        construct(grid, ShareFeed<float>(graph, 0, 1), {.list_order = ListOrder::weights});
    const auto device = [&] {
        return std::make_unique<gpu::sssp::DeviceSssp>(grid, distributed,
                                                       SsspTuning{.pull_from = 0.3, .near_far = false});
    };
    const auto distances = [&](const gpu::sssp::DeviceSssp& search) {
        std::vector<std::uint32_t> found(distributed.local_count());
        std::vector<std::int32_t> parents(found.size());
        search.copy_results(found, parents);
        return found;
    };
    const auto often = device();
    for (int i = 0; i < 30; ++i) {
        often->run(0);
        often->run(half);
    }
    const auto once = device();
    once->run(half);
    EXPECT_EQ(distances(*often), distances(*once));
    often->run(0);
    const auto again = device();
    again->run(0);
    EXPECT_EQ(distances(*often), distances(*again));
    often->run(half);  // returns while its memory is still being cleared
}

TEST_F(ResidentSsspTest, StarsOfWholeTurns)
{
    // In the first window, the number of arcs of an inner centre below the limit is width + 1: a
    // multiple of the arcs that lanes take in a turn, or one more or less. In the next window, it
    // is the width.
    for (const double width :
         {62.0, 63.0, 64.0, 126.0, 127.0, 130.0, 131.0, 1154.0, 1155.0, 1156.0, 2110.0, 2111.0, 2112.0, 2179.0, 5000.0})
        check_tuned<std::uint32_t>(stars_of_whole_turns(), {0, 11, 12, 5000},
                                   {.width = width, .pull_from = 2.0, .near_far = false}, kPushPull);
}

/// The parts of a list with more than 65536 arcs are counted in three steps.
TEST_F(ResidentSsspTest, AStarOfAHundredThousandRays)
{
    oracle::WeightedGraph<std::int64_t> star{100000, false, {}};
    for (std::int64_t v = 1; v < star.vertices; ++v) star.edges.push_back({0, v, v});
    for (const double width : {65600.0, 90000.0})
        check_tuned<std::uint32_t>(star, {0, 99999}, {.width = width, .pull_from = 2.0, .near_far = false}, kPushPull);
}

/// One step has more long lists than a block has room for.
TEST_F(ResidentSsspTest, ManyLongLists)
{
    const auto graph = random_weighted_graph<float>(400000, 4000000, false, 1, 1000, 5);
    for (const double width : {0.2, 1.0})
        check_tuned<float>(graph, {1}, {.width = width, .pull_from = 2.0, .near_far = false}, kPushPull);
}

/// Leaves have no bounds. One object runs several searches, so that the test would see data that a
/// search leaves behind.
TEST_F(ResidentSsspTest, LeavesAndPairsOfLeaves)
{
    const std::vector<std::int64_t> sources{8300, 5, 300, 8301, 8299, 0, 8339, 8338};
    check_all_ways<float>(core_with_leaves_and_pairs<float>(0.5F), sources, kAnySearch);
    check_all_ways<std::uint32_t>(core_with_leaves_and_pairs<std::uint32_t>(7), sources, kAnySearch);
    check_tuned<std::uint32_t>(core_with_leaves_and_pairs<std::uint32_t>(3'000'000'000), sources, {});
    oracle::WeightedGraph<float> pairs{400, false, {}};
    for (std::int64_t v = 0; v < pairs.vertices; v += 2) pairs.edges.push_back({v, v + 1, static_cast<float>(v)});
    check_all_ways<float>(pairs, {0, 1, 399}, kAnySearch);
}

TEST_F(ResidentSsspTest, ALongPath)
{
    oracle::WeightedGraph<std::int64_t> path{20000, false, {}};
    for (std::int64_t v = 1; v < path.vertices; ++v) path.edges.push_back({v - 1, v, v % 7});
    check_tuned<std::uint32_t>(path, {0, 10000}, {}, kNearFarGivenUp);
    check_tuned<std::uint32_t>(path, {0}, {.near_far = false}, kPushPull);
    check_tuned<std::uint32_t>(path, {19999}, {.width = 3.0, .near_far = false}, kPushPull);
}

}  // namespace
}  // namespace wayfront
