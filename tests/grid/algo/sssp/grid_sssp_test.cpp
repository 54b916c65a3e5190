// Searches over grids, with the CPU's engine, against Dijkstra's algorithm on one thread.
#include "algo/sssp/grid_sssp.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "graph/construction.hpp"
#include "graph/generators/hash.hpp"
#include "support/grid_sssp_testing.hpp"
#include "support/sanitized.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront::algo {
namespace {

GridSsspMaker on_cpu(cpu::SsspTuning tuning)
{
    return [tuning](const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspOptions& options) {
        return make_grid_sssp(grid, graph, options, [tuning](const CsrBlock& block, bool narrow) {
            return cpu::make_sssp_engine(block, narrow, tuning);
        });
    };
}

class CpuGridSssp : public GridSsspTest
{
protected:
    /// The second engine runs all rounds on all threads.
    CpuGridSssp() : GridSsspTest(on_cpu({}), on_cpu({0, 0})) {}

    /// Rounds of tests that have `rounds` of them on one rank.
    [[nodiscard]] int fewer(int rounds) const
    {
        if (ranks == 1) return rounds / (kSanitized ? 4 : 1);
        return kSanitized ? 1 : 12 / ranks;
    }

    const int few = fewer(40);
};

TEST_F(CpuGridSssp, SmallWholeWeights)
{
    check_random<std::uint32_t>(1, 20, 1, few);
}

TEST_F(CpuGridSssp, ZeroWeights)
{
    check_random<std::uint32_t>(0, 2, 101, few);
    check_random<float>(0, 1, 151, few);
}

TEST_F(CpuGridSssp, LargestWholeWeights)
{
    check_random<std::uint32_t>(4294967200, 4294967295, 201, few);
    check_random<std::uint32_t>(0, 4294967295, 251, few);
    check_random<std::uint32_t>(1 << 26, 1 << 28, 271, few);
}

TEST_F(CpuGridSssp, WideWholeWeights)
{
    check_random<std::int64_t>(0, std::int64_t{1} << 50, 301, few);
    check_random<std::int64_t>(1, 9, 351, few);
}

TEST_F(CpuGridSssp, Floats)
{
    check_random<float>(0, 1 << 24, 401, few);
    check_random<double>(0, 1 << 30, 451, few);
}

TEST_F(CpuGridSssp, ShapesAndWeightsOfAllKinds)
{
    const int rounds = fewer(24);
    check_shapes<std::uint32_t>(501, rounds);
    check_shapes<std::int64_t>(502, rounds);
    check_shapes<float>(503, rounds);
    check_shapes<double>(504, rounds);
}

TEST_F(CpuGridSssp, PathOf100000Vertices)
{
    if (ranks > 2) GTEST_SKIP() << "100 000 rounds of more ranks than cores take minutes";
    const ThreadGuard threads(1);
    oracle::WeightedGraph<std::int64_t> path{100000, false, {}};
    for (std::int64_t v = 1; v < path.vertices; ++v) path.edges.push_back({v - 1, v, v % 3});
    const comm::ProcessGrid grid(world, {ranks, 1});
    const DistributedGraph graph = construct_by<std::uint32_t>(grid, path, ListOrder::weights);
    for (const Way& way : ways())
        if (!way.by_second) search_in<std::uint32_t>(grid, graph, path, way, {30000}, kNoCutoff);
}

TEST_F(CpuGridSssp, LargerGraphsAndSkewedDegrees)
{
    oracle::WeightedGraph<float> graph{4000, false, {}};
    RandomNumbers random(7);
    for (int i = 0; i < 40000; ++i) {
        const auto product = [&](std::uint32_t n) {
            return static_cast<std::int64_t>(std::uint64_t{random.below(n)} * random.below(n) / n);
        };
        graph.edges.push_back({product(4000), product(4000), static_cast<float>(random.below(1 << 24)) * 0x1p-24F});
    }
    check<float>("skewed", graph, {1, 17, 3999});
}

/// Each rank has several pieces of rows, so that ranks read what others find in the same round.
TEST_F(CpuGridSssp, RanksThatShareMemoryWorkAtTheSameTime)
{
    const comm::ProcessGrid grid(world, {ranks, 1});
    const std::int64_t vertices = std::int64_t{16384} * ranks;
    const auto edges = static_cast<std::size_t>(6 * vertices);
    std::vector<std::int64_t> sources{0, vertices - 1, 77};
    if (kSanitized) sources.resize(1);
    const ThreadGuard threads(2);
    const auto check_in = [&]<typename W>(const oracle::WeightedGraph<OracleWeight<W>>& graph) {
        const DistributedGraph distributed = construct_by<W>(grid, graph, ListOrder::weights);
        for (const Way& way : ways())
            if (way.method == SsspMethod::push_pull) search_in<W>(grid, distributed, graph, way, sources, kNoCutoff);
    };
    check_in.template operator()<float>(random_weighted_graph<float>(vertices, edges, false, 0, 1 << 24, 41));
    check_in.template operator()<std::uint32_t>(random_weighted_graph<std::uint32_t>(vertices, edges, false, 0, 1, 42));
    check_in.template operator()<std::uint32_t>(
        random_weighted_graph<std::uint32_t>(vertices, edges, true, 0, 255, 43));
}

/// A chain of settled and unsettled vertices leads to vertex 1005, whose only arc is so heavy that
/// pulls do not look at it. Its distance does not fit 32 bits.
TEST_F(CpuGridSssp, PullsDoNotLoseDistancesThatDoNotFit)
{
    const auto chain = [](auto far, auto heavy) {
        oracle::WeightedGraph<OracleWeight<decltype(heavy)>> graph{1006, true, {}};
        const auto add = [&](std::int64_t from, std::int64_t to, auto weight) {
            graph.edges.push_back({from, to, static_cast<OracleWeight<decltype(heavy)>>(weight)});
        };
        for (std::int64_t v = 1; v <= 1000; ++v) {
            add(0, v, 1);
            add(v, v % 1000 + 1, 50);
        }
        add(0, 1001, far);
        for (std::int64_t v = 1001; v < 1004; ++v) add(v, v + 1, 10);
        add(1004, 1005, heavy);
        for (std::int64_t v = 1; v <= 200; ++v) add(1005, v, 60);
        for (std::int64_t v = 1; v <= 100; ++v) add(1004, v, 60);
        for (std::int64_t v = 1; v <= 50; ++v) add(1003, v, 60);
        return graph;
    };
    const auto whole = chain(std::uint32_t{100000}, std::uint32_t{4294967290});
    const auto infinite = chain(1e37F, 3.4e38F);
    for (const comm::GridShape shape : shapes_of(ranks)) {
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph of_wholes = construct_by<std::uint32_t>(grid, whole, ListOrder::weights);
        const DistributedGraph of_floats = construct_by<float>(grid, infinite, ListOrder::weights);
        for (const double delta : {5.0, 20.0, 80.0})
            for (const bool second : {false, true}) {
                SCOPED_TRACE(testing::Message() << to_text(shape) << ", windows of " << delta);
                search_in<std::uint32_t>(grid, of_wholes, whole,
                                         {"PushPull", SsspMethod::push_pull, ListOrder::weights, delta, second},
                                         {0, 1001}, kNoCutoff);
                SsspOptions options;
                options.method = SsspMethod::push_pull;
                options.delta = delta;
                const auto search = make_search(grid, of_floats, options, second);
                EXPECT_THROW(search->run(0), ResourceError);
            }
    }
}

TEST_F(CpuGridSssp, CutoffEndsSearches)
{
    const auto whole = random_weighted_graph<std::uint32_t>(200, 700, false, 0, 10, 3);
    for (const double cutoff : {0.0, 4.0, 11.5, 1e9}) check<std::uint32_t>("whole", whole, {0, 5}, cutoff);
    const auto real = random_weighted_graph<float>(200, 700, false, 0, 1000, 3);
    for (const double cutoff : {0.0, 0.25, 0.7}) check<float>("real", real, {0, 5}, cutoff);
}

TEST_F(CpuGridSssp, PathAndIsolatedSource)
{
    // There is a round for each vertex, which takes long if there are more ranks than cores.
    oracle::WeightedGraph<std::int64_t> path{ranks == 1 ? 1000 : 300, false, {}};
    for (std::int64_t v = 0; v + 2 < path.vertices; ++v) path.edges.push_back({v, v + 1, v % 3});
    check<std::uint32_t>("path", path, {0, path.vertices / 2, path.vertices - 1});
}

TEST_F(CpuGridSssp, NegativeWeightsAndCycles)
{
    check_negative_weights(40);
}

TEST_F(CpuGridSssp, ParentsOfEarlierSearchesAreForgotten)
{
    check_parents_of_earlier_searches();
}

TEST_F(CpuGridSssp, MethodsMustSuitTheGraph)
{
    const comm::ProcessGrid grid(world, {ranks, 1});
    const oracle::WeightedGraph<std::int64_t> negative{3, true, {{0, 1, -1}, {1, 2, 4}}};
    const DistributedGraph graph = construct_by<std::int64_t>(grid, negative, ListOrder::neighbours);
    SsspOptions options;
    options.method = SsspMethod::delta_stepping;
    EXPECT_THROW(static_cast<void>(make_search(grid, graph, options)), InputError);
    options.method = SsspMethod::push_pull;
    EXPECT_THROW(static_cast<void>(make_search(grid, graph, options)), InputError);
    EXPECT_THROW(make_search(grid, graph)->run(3), InputError);
    const oracle::WeightedGraph<std::int64_t> positive{3, true, {{0, 1, 1}, {1, 2, 4}}};
    EXPECT_EQ(make_search(grid, construct_by<std::int64_t>(grid, positive, ListOrder::weights))->result().method,
              SsspMethod::push_pull);
    EXPECT_EQ(make_search(grid, construct_by<std::int64_t>(grid, positive, ListOrder::neighbours))->result().method,
              SsspMethod::delta_stepping);
}

/// The width of the windows that push-pull chooses for a circulant graph, each vertex of which has 16 edges.
/// Its edges are sorted by weight in each list, and all lists have one length.
template <typename Weight>
double width_of_windows(Weight&& weight)
{
    constexpr std::int64_t vertices = 65536;
    oracle::WeightedGraph<std::int64_t> graph{vertices, false, {}};
    std::uint64_t edge = 0;
    for (std::int64_t v = 0; v < vertices; ++v)
        for (const std::int64_t step : {1, 7, 61, 401, 1009, 5003, 12007, 30011})
            graph.edges.push_back({v, (v + step) % vertices, weight(edge++)});
    const comm::ProcessGrid grid(comm::Communicator::alone(), {1, 1});
    const DistributedGraph constructed =
        construct(grid, ShareFeed<std::uint32_t>(graph, 0, 1), {.list_order = ListOrder::weights});
    SsspOptions options;
    options.method = SsspMethod::push_pull;
    const auto search = make_grid_sssp(
        grid, constructed, options,
        SsspEngineMaker([](const CsrBlock& block, bool narrow) { return cpu::make_sssp_engine(block, narrow); }));
    const std::string words = search->description();
    return std::stod(words.substr(words.rfind(' ') + 1));
}

TEST(PushPullWindows, UniformWeightsCountByTheirMean)
{
    const double width = width_of_windows(
        [](std::uint64_t edge) { return static_cast<std::int64_t>(1 + random_word(1, edge) % 1000000); });
    EXPECT_NEAR(width, 4 * 500000.0 / 16, 500);
}

TEST(PushPullWindows, AFewHeavyWeightsDoNotCount)
{
    const double width = width_of_windows([](std::uint64_t edge) {
        return static_cast<std::int64_t>(1 + random_word(2, edge) % 1000) * (edge % 20 == 0 ? 100000 : 1);
    });
    EXPECT_NEAR(width, 2 * 1000.0 / 16, 10);  // the width that the other edges determine
}

}  // namespace
}  // namespace wayfront::algo
