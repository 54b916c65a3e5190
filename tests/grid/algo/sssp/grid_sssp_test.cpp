// Searches over grids, with the CPU's engine, against Dijkstra's algorithm on one thread.
#include "algo/sssp/grid_sssp.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"
#include "support/weighted_shapes.hpp"

namespace wayfront::algo {
namespace {

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

struct Way
{
    std::string name;
    SsspMethod method;
    ListOrder order;
    std::optional<double> delta;
    bool parallel;  // all rounds on all threads
};

std::vector<Way> ways()
{
    return {{"BellmanFord", SsspMethod::bellman_ford, ListOrder::neighbours, {}, false},
            {"BellmanFordParallel", SsspMethod::bellman_ford, ListOrder::weights, {}, true},
            {"DeltaStepping", SsspMethod::delta_stepping, ListOrder::neighbours, {}, false},
            {"DeltaSteppingParallel", SsspMethod::delta_stepping, ListOrder::weights, 3.0, true},
            {"PushPull", SsspMethod::push_pull, ListOrder::weights, {}, false},
            {"PushPullParallel", SsspMethod::push_pull, ListOrder::weights, {}, true},
            {"PushPullWide", SsspMethod::push_pull, ListOrder::weights, 1e12, true}};
}

class GridSsspTest : public GridTest
{
protected:
    SsspEngineMaker cpu(bool parallel)
    {
        return [parallel](const CsrBlock& block, bool narrow) {
            cpu::SsspTuning tuning;
            if (parallel) tuning = {0, 0};
            return cpu::make_sssp_engine(block, narrow, tuning);
        };
    }

    template <typename W>
    DistributedGraph construct_by(const comm::ProcessGrid& grid, const oracle::WeightedGraph<OracleWeight<W>>& graph, ListOrder order)
    {
        ConstructionOptions options;
        options.list_order = order;
        return construct(grid, ShareFeed<W>(graph, rank, ranks), options);
    }

    /// Searches in all ways on all grids. Collective.
    template <typename W>
    void check(const std::string& name, const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources,
               double cutoff = kNoCutoff)
    {
        const ThreadGuard threads(2);
        for (const comm::GridShape shape : shapes_of(ranks)) {
            const comm::ProcessGrid grid(world, shape);
            const DistributedGraph by_neighbour = construct_by<W>(grid, graph, ListOrder::neighbours);
            const DistributedGraph by_weight = construct_by<W>(grid, graph, ListOrder::weights);
            for (const Way& way : ways()) {
                SCOPED_TRACE(testing::Message() << name << " on " << to_text(shape));
                search_in<W>(grid, way.order == ListOrder::weights ? by_weight : by_neighbour, graph, way, sources, cutoff);
            }
        }
    }

    template <typename W>
    void search_in(const comm::ProcessGrid& grid, const DistributedGraph& distributed, const oracle::WeightedGraph<OracleWeight<W>>& graph,
                   const Way& way, const std::vector<std::int64_t>& sources, double cutoff)
    {
        SsspOptions options;
        options.method = way.method;
        options.delta = way.delta;
        options.cutoff = cutoff;
        const auto search = make_grid_sssp(grid, distributed, options, cpu(way.parallel));
        for (const std::int64_t source : sources) {
            SCOPED_TRACE(testing::Message() << way.name << ", from " << source);
            search->run(source);
            check_sssp<W>(world, graph, source, cutoff, search->result());
            EXPECT_EQ(search->result().method, way.method);
        }
    }

    template <typename W>
    void check_shapes(std::uint64_t seed, int rounds);

    template <typename W>
    void check_random(std::int64_t low, std::int64_t high, std::uint64_t seed, int graphs)
    {
        for (int i = 0; i < graphs; ++i) {
            RandomNumbers random(seed + static_cast<std::uint64_t>(i));
            const std::int64_t vertices = 1 + random.below(i % 4 == 0 ? 12 : 300);
            const std::size_t edges = random.below(static_cast<std::uint32_t>(vertices) * 6 + 1);
            const bool directed = random.below(2) == 0;
            const auto graph = random_weighted_graph<W>(vertices, edges, directed, low, high, random.next());
            const auto source = static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(vertices)));
            check<W>("graph " + std::to_string(i), graph, {source, 0, source});
        }
    }

    const int few = ranks == 1 ? 40 : 12 / ranks;
};

TEST_F(GridSsspTest, SmallWholeWeights)
{
    check_random<std::uint32_t>(1, 20, 1, few);
}

TEST_F(GridSsspTest, ZeroWeights)
{
    check_random<std::uint32_t>(0, 2, 101, few);
    check_random<float>(0, 1, 151, few);
}

TEST_F(GridSsspTest, LargestWholeWeights)
{
    check_random<std::uint32_t>(4294967200, 4294967295, 201, few);
    check_random<std::uint32_t>(0, 4294967295, 251, few);
    check_random<std::uint32_t>(1 << 26, 1 << 28, 271, few);
}

TEST_F(GridSsspTest, WideWholeWeights)
{
    check_random<std::int64_t>(0, std::int64_t{1} << 50, 301, few);
    check_random<std::int64_t>(1, 9, 351, few);
}

TEST_F(GridSsspTest, Floats)
{
    check_random<float>(0, 1 << 24, 401, few);
    check_random<double>(0, 1 << 30, 451, few);
}

/// Graphs of all shapes with weights of all kinds, each searched in another way, and on another
/// grid.
template <typename W>
void GridSsspTest::check_shapes(std::uint64_t seed, int rounds)
{
    const ThreadGuard threads(2);
    const std::vector<comm::GridShape> shapes = shapes_of(ranks);
    const std::vector<Way> all_ways = ways();
    RandomNumbers random(seed);
    for (int i = 0; i < rounds * static_cast<int>(kShapes.size() * kWeightRanges.size()); ++i) {
        const auto number = static_cast<std::size_t>(i);
        const Shape shape = kShapes[number % kShapes.size()];
        const auto graph = shaped_graph<W>(random, shape, 150, kWeightRanges[number % kWeightRanges.size()]);
        const Way& way = all_ways[random.below(static_cast<std::uint32_t>(all_ways.size()))];
        const comm::ProcessGrid grid(world, shapes[random.below(static_cast<std::uint32_t>(shapes.size()))]);
        SCOPED_TRACE(testing::Message() << "graph " << i << ", " << kShapeNames[number % kShapes.size()] << ", on " << to_text(grid.shape()));
        search_in<W>(grid, construct_by<W>(grid, graph, way.order), graph, way, {random.below(static_cast<std::uint32_t>(graph.vertices))},
                     kNoCutoff);
    }
}

TEST_F(GridSsspTest, ShapesAndWeightsOfAllKinds)
{
    const int rounds = ranks == 1 ? 24 : 12 / ranks;
    check_shapes<std::uint32_t>(501, rounds);
    check_shapes<std::int64_t>(502, rounds);
    check_shapes<float>(503, rounds);
    check_shapes<double>(504, rounds);
}

TEST_F(GridSsspTest, PathOf100000Vertices)
{
    if (ranks > 2) GTEST_SKIP() << "100 000 rounds of more ranks than cores take minutes";
    const ThreadGuard threads(1);
    oracle::WeightedGraph<std::int64_t> path{100000, false, {}};
    for (std::int64_t v = 1; v < path.vertices; ++v) path.edges.push_back({v - 1, v, v % 3});
    const comm::ProcessGrid grid(world, {ranks, 1});
    const DistributedGraph graph = construct_by<std::uint32_t>(grid, path, ListOrder::weights);
    for (const Way& way : ways())
        if (!way.parallel) search_in<std::uint32_t>(grid, graph, path, way, {30000}, kNoCutoff);
}

TEST_F(GridSsspTest, LargerGraphsAndSkewedDegrees)
{
    oracle::WeightedGraph<float> graph{4000, false, {}};
    RandomNumbers random(7);
    for (int i = 0; i < 40000; ++i) {
        const auto product = [&](std::uint32_t n) { return static_cast<std::int64_t>(std::uint64_t{random.below(n)} * random.below(n) / n); };
        graph.edges.push_back({product(4000), product(4000), static_cast<float>(random.below(1 << 24)) * 0x1p-24F});
    }
    check<float>("skewed", graph, {1, 17, 3999});
}

TEST_F(GridSsspTest, CutoffEndsSearches)
{
    const auto whole = random_weighted_graph<std::uint32_t>(200, 700, false, 0, 10, 3);
    for (const double cutoff : {0.0, 4.0, 11.5, 1e9}) check<std::uint32_t>("whole", whole, {0, 5}, cutoff);
    const auto real = random_weighted_graph<float>(200, 700, false, 0, 1000, 3);
    for (const double cutoff : {0.0, 0.25, 0.7}) check<float>("real", real, {0, 5}, cutoff);
}

TEST_F(GridSsspTest, PathAndIsolatedSource)
{
    // There is a round for each vertex, which takes long if there are more ranks than cores.
    oracle::WeightedGraph<std::int64_t> path{ranks == 1 ? 1000 : 300, false, {}};
    for (std::int64_t v = 0; v + 2 < path.vertices; ++v) path.edges.push_back({v, v + 1, v % 3});
    check<std::uint32_t>("path", path, {0, path.vertices / 2, path.vertices - 1});
}

/// Bellman-Ford in its plainest form. No value if there is a negative cycle.
std::vector<std::int64_t> bellman_ford(const oracle::WeightedGraph<std::int64_t>& graph, std::int64_t source)
{
    const std::int64_t far = oracle::infinity<std::int64_t>();
    std::vector<std::int64_t> distance(static_cast<std::size_t>(graph.vertices), far);
    distance[static_cast<std::size_t>(source)] = 0;
    for (std::int64_t round = 0; round <= graph.vertices; ++round) {
        bool changed = false;
        graph.for_each_arc([&](std::int64_t u, std::int64_t v, std::int64_t weight) {
            const std::int64_t from = distance[static_cast<std::size_t>(u)];
            if (u == v || from == far || from + weight >= distance[static_cast<std::size_t>(v)]) return;
            distance[static_cast<std::size_t>(v)] = from + weight;
            changed = true;
        });
        if (!changed) return distance;
    }
    return {};
}

TEST_F(GridSsspTest, NegativeWeightsAndCycles)
{
    const ThreadGuard threads(2);
    int cycles = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        RandomNumbers random(seed);
        oracle::WeightedGraph<std::int64_t> graph{150, true, {}};
        std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> weights;
        for (int i = 0; i < 400; ++i) {
            const std::int64_t u = random.below(150);
            const std::int64_t v = random.below(150);
            const std::int64_t weight = static_cast<std::int64_t>(random.below(1000)) - (seed % 2 == 0 ? 60 : 25) - (u < v ? 100 : 0);
            graph.edges.push_back({u, v, weight});
            const auto [entry, is_new] = weights.try_emplace({u, v}, weight);
            entry->second = std::min(entry->second, weight);
        }
        const std::vector<std::int64_t> expected = bellman_ford(graph, 0);
        for (const comm::GridShape shape : shapes_of(ranks)) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << " on " << to_text(shape));
            const comm::ProcessGrid grid(world, shape);
            const DistributedGraph distributed = construct_by<std::int64_t>(grid, graph, ListOrder::neighbours);
            const auto search = make_grid_sssp(grid, distributed, {}, cpu(seed % 3 == 0));
            search->run(0);
            const SsspResult& result = search->result();
            EXPECT_EQ(result.method, SsspMethod::bellman_ford);
            EXPECT_EQ(result.negative_cycle.empty(), !expected.empty());
            if (!expected.empty()) {
                EXPECT_EQ(gather_distances<std::int64_t>(world, 150, result.distances), expected);
                continue;
            }
            ++cycles;
            std::int64_t length = 0;
            for (std::size_t i = 0; i < result.negative_cycle.size(); ++i) {
                const std::pair edge{result.negative_cycle[i], result.negative_cycle[(i + 1) % result.negative_cycle.size()]};
                ASSERT_TRUE(weights.contains(edge)) << edge.first << " to " << edge.second;
                length += weights.at(edge);
            }
            EXPECT_LT(length, 0);
        }
    }
    EXPECT_GT(cycles, 0);
}

/// Bellman-Ford looks for cycles of parents. The parents of earlier searches must not form a cycle.
TEST_F(GridSsspTest, ParentsOfEarlierSearchesAreForgotten)
{
    const ThreadGuard threads(2);
    constexpr std::int64_t vertices = 300;
    oracle::WeightedGraph<std::int64_t> graph{vertices, true, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}}};
    for (std::int64_t v = 2; v + 1 < vertices; ++v) graph.edges.push_back({v, v + 1, v == 2 ? -1 : 1});
    for (const comm::GridShape shape : shapes_of(ranks)) {
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph distributed = construct_by<std::int64_t>(grid, graph, ListOrder::neighbours);
        const auto search = make_grid_sssp(grid, distributed, {}, cpu(false));
        for (const std::int64_t source : {0, 1, 2}) {
            SCOPED_TRACE(testing::Message() << "source " << source << " on " << to_text(shape));
            search->run(source);
            EXPECT_TRUE(search->result().negative_cycle.empty());
            EXPECT_EQ(gather_distances<std::int64_t>(world, vertices, search->result().distances), bellman_ford(graph, source));
        }
    }
}

TEST_F(GridSsspTest, MethodsMustSuitTheGraph)
{
    const comm::ProcessGrid grid(world, {ranks, 1});
    const oracle::WeightedGraph<std::int64_t> negative{3, true, {{0, 1, -1}, {1, 2, 4}}};
    const DistributedGraph graph = construct_by<std::int64_t>(grid, negative, ListOrder::neighbours);
    SsspOptions options;
    options.method = SsspMethod::delta_stepping;
    EXPECT_THROW(static_cast<void>(make_grid_sssp(grid, graph, options, cpu(false))), InputError);
    options.method = SsspMethod::push_pull;
    EXPECT_THROW(static_cast<void>(make_grid_sssp(grid, graph, options, cpu(false))), InputError);
    EXPECT_THROW(make_grid_sssp(grid, graph, {}, cpu(false))->run(3), InputError);
    const oracle::WeightedGraph<std::int64_t> positive{3, true, {{0, 1, 1}, {1, 2, 4}}};
    EXPECT_EQ(make_grid_sssp(grid, construct_by<std::int64_t>(grid, positive, ListOrder::weights), {}, cpu(false))->result().method,
              SsspMethod::push_pull);
    EXPECT_EQ(make_grid_sssp(grid, construct_by<std::int64_t>(grid, positive, ListOrder::neighbours), {}, cpu(false))->result().method,
              SsspMethod::delta_stepping);
}

}  // namespace
}  // namespace wayfront::algo
