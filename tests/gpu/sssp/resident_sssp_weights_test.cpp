// Compares shortest paths on one GPU with Dijkstra's algorithm: weights, cutoffs, and distances that
// are too large.
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "resident_sssp_testing.hpp"

namespace wayfront {
namespace {

TEST_F(ResidentSsspTest, EqualAndZeroWeights)
{
    for (const std::int64_t high : {0, 1}) {
        check_all_ways<std::uint32_t>(random_weighted_graph<std::uint32_t>(3000, 20000, false, 0, high, 5), {0, 77});
        check_all_ways<float>(random_weighted_graph<float>(3000, 20000, false, 0, high, 6), {0, 77});
    }
}

/// Bounds follow from 16 bits of the weights of a vertex's two lightest arcs.
TEST_F(ResidentSsspTest, WeightsThatDifferInTheirLowBits)
{
    for (const std::int64_t high : {3, 100, 5000}) {
        auto whole = random_weighted_graph<std::uint32_t>(4000, 30000, false, 0, high, 21);
        for (auto& edge : whole.edges) edge.weight += 1 << 17;
        check_all_ways<std::uint32_t>(whole, {0, 77});
        oracle::WeightedGraph<float> floats{whole.vertices, false, {}};
        for (const auto& edge : whole.edges)
            floats.edges.push_back({edge.source, edge.target, std::ldexp(static_cast<float>(edge.weight), -17)});
        check_all_ways<float>(floats, {0, 77});
    }
}

TEST_F(ResidentSsspTest, VerticesWithoutEdgesAndOtherComponents)
{
    oracle::WeightedGraph<float> graph{1000, false, {}};
    for (std::int64_t v = 1; v < 400; ++v) graph.edges.push_back({v / 3, v, 0.25F});
    for (std::int64_t v = 501; v < 600; ++v) graph.edges.push_back({v - 1, v, 0.5F});
    check_all_ways<float>(graph, {0, 399, 450, 550, 999}, kNearFar);
    check_all_ways<float>({3, false, {}}, {1});
}

TEST_F(ResidentSsspTest, ACutoffLeavesOutWhatIsFarther)
{
    const auto graph = random_weighted_graph<std::uint32_t>(2000, 6000, false, 1, 100, 9);
    for (const double cutoff : {0.0, 1.0, 57.5, 150.0, 1e9})
        for (const bool near_far : {false, true})
            check_tuned<std::uint32_t>(graph, {0, 1}, {.near_far = near_far, .cutoff = cutoff},
                                       near_far ? kNearFar : kPushPull);
    const auto floats = random_weighted_graph<float>(2000, 6000, true, 1, 100, 9);
    for (const double cutoff : {0.0, 0.3, 1.25, 1e300})
        for (const bool near_far : {false, true})
            check_tuned<float>(floats, {0, 1}, {.near_far = near_far, .cutoff = cutoff},
                               near_far ? kNearFar : kPushPull);
}

/// Weights fit 32 bits, but sums of weights may not.
TEST_F(ResidentSsspTest, DistancesBeyond32BitsAreFoundWith64)
{
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    for (const bool directed : {false, true}) {
        oracle::WeightedGraph<std::int64_t> graph{5, directed, {{0, 1, most - 1}, {1, 2, 1}, {2, 3, most}, {0, 4, 3}}};
        check_tuned<std::uint32_t>(graph, {0, 1, 4}, {});
        check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(500, 3000, directed, most / 2, most, 4), {0, 1},
                                   {});
        check_tuned<std::uint32_t>(random_weighted_graph<std::uint32_t>(500, 3000, directed, most / 2, most, 4), {2},
                                   {.pull_from = 0.3});
    }
}

/// Distances are 2^32 - 3, the largest that a search on a GPU finds, and 2^32 - 2.
TEST_F(ResidentSsspTest, TheLargestDistancesOf32Bits)
{
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    for (const std::int64_t far : {most - 2, most - 1}) {
        auto graph = random_weighted_graph<std::uint32_t>(600, 9000, false, 1, 1000, 17);
        for (auto& edge : graph.edges)
            if (edge.source == 7 || edge.target == 7) edge = {7, 7, 1};
        graph.edges.push_back({0, 7, far});
        const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
        const DistributedGraph distributed =
            construct(grid, ShareFeed<std::uint32_t>(graph, 0, 1), {.list_order = ListOrder::weights});
        gpu::sssp::DeviceSssp device(grid, distributed, {.pull_from = 0.0, .near_far = false});
        device.run(0);
        EXPECT_EQ(device.overflowed(), far == most - 1);
        for (const double pull_from : {0.0, 0.3, 2.0})
            check_tuned<std::uint32_t>(graph, {0}, {.pull_from = pull_from, .near_far = false}, kPushPull);
        check_tuned<std::uint32_t>(graph, {0}, {.near_far = true}, kNearFarAtFirst);
    }
}

/// Vertex 4 has an arc of length 1 to a leaf, and a heavy arc. Pulls skip the heavy arc, because
/// the sum of its weight and the distance of the hub, vertex 2, does not fit. The other end of the
/// heavy arc is vertex 3, which is farther than the hub, or vertex 6, which is nearer than the hub.
/// Both have a lighter arc that pushes do not reach, so that pushes do not read the heavy arc.
/// Without the heavy arc, no path leads to vertex 4.
TEST_F(ResidentSsspTest, PullsDoNotLoseDistancesBeyond32Bits)
{
    using Graph = oracle::WeightedGraph<std::int64_t>;
    constexpr std::int64_t vertices = 1200;
    constexpr std::int64_t leaf = vertices - 1;  // one of many leaves, which pulls therefore skip
    Graph graph{
        vertices,
        false,
        {{0, 1, 1}, {0, 2, 2'000'000'000}, {2, 3, 10}, {3, 5, 1'000'000'000}, {0, 6, 1'500'000'000}, {4, leaf, 1}}};
    RandomNumbers random(11);
    const auto weight = [&] { return 1 + std::int64_t{random.below(50)}; };
    for (std::int64_t v = 7; v < 1000; ++v) {
        graph.edges.push_back({2, v, weight()});
        for (int i = 0; i < 5; ++i) graph.edges.push_back({v, 7 + std::int64_t{random.below(993)}, weight()});
    }
    for (std::int64_t v = 1000; v < leaf; ++v) graph.edges.push_back({2, v, weight()});
    const auto check = [](const Graph& checked) {
        check_tuned<std::uint32_t>(checked, {0, 0, 7, 0}, {}, kPushPull);
        check_tuned<std::uint32_t>(checked, {0, 0, 7, 0},
                                   {.pull_from = 0.5, .single_block_vertices = 0, .hubs = 16, .open_for_push = 0},
                                   kPushPull);
    };
    check(graph);
    for (const Graph::Edge& heavy : {Graph::Edge{3, 4, 2'300'000'000}, Graph::Edge{6, 4, 2'900'000'000}}) {
        SCOPED_TRACE("from " + std::to_string(heavy.source));
        Graph joined = graph;
        joined.edges.push_back(heavy);
        check(joined);
    }
}

/// The search on the cores replaces the one on the GPU, and finds out whether a distance is
/// infinite.
TEST_F(ResidentSsspTest, FloatsWithAnInfiniteSum)
{
    check_tuned<float>({4, true, {{0, 1, 3e38F}, {0, 2, 1e38F}, {2, 1, 1e37F}, {1, 3, 1e38F}}}, {0, 1}, {});
    EXPECT_THROW(check_tuned<float>({3, true, {{0, 1, 3e38F}, {1, 2, 2e38F}}}, {0}, {}), ResourceError);

    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const DistributedGraph distributed = construct(
        grid, ShareFeed<float>({3, false, {{0, 1, 3e38F}, {1, 2, 1e37F}}}, 0, 1), {.list_order = ListOrder::weights});
    EXPECT_TRUE(gpu::sssp::DeviceSssp(grid, distributed, {}).always_overflows());
    for (const float weight : {5e37F, 1e38F}) {  // both directions with the lighter edge: sums of 1.2e38 and 2.2e38
        const DistributedGraph near_the_limit =
            construct(grid, ShareFeed<float>({3, false, {{0, 1, weight}, {1, 2, 1e37F}}}, 0, 1),
                      {.list_order = ListOrder::weights});
        EXPECT_EQ(gpu::sssp::DeviceSssp(grid, near_the_limit, {}).always_overflows(), weight > 9e37F);
    }
    EXPECT_FALSE(ResidentSssp(grid, distributed, {}, [&] {
                     return cpu::make_one_rank_search(distributed, dijkstra_options());
                 }).on_device());
}

/// A search on a device that must not be called.
class UselessDevice final : public gpu::sssp::DeviceSearch
{
public:
    void run(Vertex /*source*/) override { ADD_FAILURE() << "the device runs"; }
    [[nodiscard]] gpu::sssp::SsspFacts facts() const override { return {}; }
    [[nodiscard]] bool overflowed() const override { return true; }
    [[nodiscard]] bool always_overflows() const override { return true; }
    void copy_results(std::span<std::uint32_t> /*distances*/, std::span<std::int32_t> /*parents*/) const override {}
    [[nodiscard]] std::string description() const override { return "on the GPU"; }
    [[nodiscard]] std::size_t graph_bytes() const override { return 0; }
    [[nodiscard]] std::size_t state_bytes() const override { return 0; }
};

/// This test needs no GPU.
TEST(ResidentSssp, TheCoresSearchIfTheDeviceAlwaysOverflows)
{
    const auto graph = random_weighted_graph<float>(300, 1000, false, 0, 100, 3);
    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const DistributedGraph distributed =
        construct(grid, ShareFeed<float>(graph, 0, 1), {.list_order = ListOrder::weights});
    ResidentSssp search(distributed, std::make_unique<UselessDevice>(), algo::SsspMethod::push_pull,
                        [&] { return cpu::make_one_rank_search(distributed, dijkstra_options()); });
    EXPECT_FALSE(search.on_device());
    EXPECT_NE(search.description().find("on the CPU"), std::string::npos) << search.description();
    for (const std::int64_t source : {0, 7}) {
        search.run(source);
        check_sssp<float>(grid.world(), graph, source, kNoCutoff, search.result());
    }
}

}  // namespace
}  // namespace wayfront
