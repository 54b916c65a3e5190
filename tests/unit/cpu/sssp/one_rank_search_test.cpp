#include "cpu/sssp/one_rank_search.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "graph/construction.hpp"
#include "support/graphs.hpp"
#include "support/random_numbers.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"
#include "support/weighted_shapes.hpp"

namespace wayfront::cpu {
namespace {

using algo::SsspMethod;
using algo::SsspOptions;
using algo::SsspResult;

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

template <typename W>
using WeightedGraph = oracle::WeightedGraph<OracleWeight<W>>;

template <typename W>
DistributedGraph construct_alone(const WeightedGraph<W>& graph, ListOrder order = ListOrder::neighbours)
{
    const ThreadGuard guard(1);
    ConstructionOptions options;
    options.list_order = order;
    return construct(comm::ProcessGrid(comm::Communicator::alone(), {1, 1}), ShareFeed<W>(graph, 0, 1), options);
}

/// The distances of the result, as the oracle writes them: -1 if not reached.
template <typename D>
std::vector<D> distances_of(const SsspResult& result)
{
    std::vector<D> distances;
    std::visit(
        [&](const auto& buffer) {
            using T = typename std::decay_t<decltype(buffer)>::value_type;
            for (const T distance : buffer)
                distances.push_back(distance == algo::unreached<T>() ? D{-1} : static_cast<D>(distance));
        },
        result.distances);
    return distances;
}

std::vector<std::int64_t> parents_of(const SsspResult& result)
{
    std::vector<std::int64_t> parents;
    for (std::size_t i = 0; i < result.parents.size(); ++i) parents.push_back(result.parents[i]);
    return parents;
}

template <typename W>
void check_result(const WeightedGraph<W>& graph, std::int64_t source, double cutoff, const SsspResult& result)
{
    check_sssp<W>(comm::Communicator::alone(), graph, source, cutoff, result);
}

SsspOptions with_method(SsspMethod method)
{
    SsspOptions options;
    options.method = method;
    return options;
}

/// All threads take part, even in small graphs.
constexpr OneRankTuning kAllThreads{.parallel_from_arcs = 0, .arcs_per_thread = 0};
/// No thread searches alone, not even in the smallest graphs.
constexpr OneRankTuning kAllTogether{
    .delta_stepping_from_arcs = 0, .parallel_from_arcs = 0, .arcs_per_thread = 0, .alone_arcs = 0};

template <typename W>
class OneRankSearch : public testing::Test
{
};
using WeightTypes = testing::Types<std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(OneRankSearch, WeightTypes);

TYPED_TEST(OneRankSearch, FindsShortestPathsInSmallRandomGraphs)
{
    RandomNumbers random(11);
    for (std::uint32_t i = 0; i < 600; ++i) {
        const Shape shape = kShapes[random.below(kShapes.size())];
        const WeightRange kind = kWeightRanges[random.below(kWeightRanges.size())];
        const WeightedGraph<TypeParam> graph = shaped_graph<TypeParam>(random, shape, 100, kind);
        const DistributedGraph built =
            construct_alone<TypeParam>(graph, i % 2 == 0 ? ListOrder::neighbours : ListOrder::weights);
        const std::int64_t source = random.below(static_cast<std::uint32_t>(graph.vertices));
        for (const int threads : {1, 2, 5}) {
            // Slow on machines with fewer cores.
            if (threads > 1 && i % (10 * static_cast<std::uint32_t>(threads)) != 0) continue;
            const ThreadGuard guard(threads);
            for (const SsspMethod method : {SsspMethod::dijkstra, SsspMethod::delta_stepping}) {
                SsspOptions options = with_method(method);
                if (random.chance(0.3)) options.delta = std::ldexp(1.0, static_cast<int>(random.below(50)) - 25);
                if (random.chance(0.2)) options.cutoff = random.below(20);
                options.smallest_parents = random.chance(0.3);
                const auto search =
                    make_one_rank_search(built, options, random.chance(0.5) ? kAllTogether : kAllThreads);
                const auto of_feed = make_one_rank_search(ShareFeed<TypeParam>(graph, 0, 1), options, kAllThreads);
                for (const std::int64_t key : {source, graph.vertices - 1}) {
                    of_feed->run(key);
                    check_result<TypeParam>(graph, key, options.cutoff.real, of_feed->result());
                    search->run(key);
                    check_result<TypeParam>(graph, key, options.cutoff.real, search->result());
                    const std::vector<Vertex> several = several_sources(graph.vertices, key);
                    search->run_nearest(several);
                    check_nearest<TypeParam>(comm::Communicator::alone(), graph, several, options.cutoff.real,
                                             search->result());
                    if (this->HasFailure())
                        FAIL() << "graph " << i << " on " << threads << " threads by " << search->description();
                }
            }
        }
    }
}

TYPED_TEST(OneRankSearch, FindsShortestPathsInLargerGraphs)
{
    RandomNumbers random(12);
    std::vector<WeightedGraph<TypeParam>> graphs;
    graphs.reserve(kWeightRanges.size() + 2);
    for (const WeightRange kind : kWeightRanges)
        graphs.push_back(shaped_graph<TypeParam>(random, Shape::random, 30000, kind));
    WeightedGraph<TypeParam> star{30000, false, {}};
    for (std::int64_t v = 1; v < star.vertices; ++v)
        star.edges.push_back({0, v, random_weight<TypeParam>(random, WeightRange::any)});
    WeightedGraph<TypeParam> map{60 * 60, false, {}};
    for (std::int64_t v = 0; v < map.vertices; ++v) {
        if (v % 60 != 0) map.edges.push_back({v, v - 1, random_weight<TypeParam>(random, WeightRange::small)});
        if (v >= 60) map.edges.push_back({v - 60, v, static_cast<OracleWeight<TypeParam>>(1 + random.below(1000))});
    }
    graphs.push_back(std::move(star));
    graphs.push_back(std::move(map));
    for (const WeightedGraph<TypeParam>& graph : graphs) {
        const DistributedGraph built = construct_alone<TypeParam>(graph);
        for (const int threads : {1, 2, 5}) {
            const ThreadGuard guard(threads);
            for (const SsspMethod method : {SsspMethod::automatic, SsspMethod::dijkstra}) {
                const auto search = make_one_rank_search(built, with_method(method), kAllThreads);
                for (const std::int64_t source : {std::int64_t{0}, graph.vertices / 2}) {
                    search->run(source);
                    check_result<TypeParam>(graph, source, kNoCutoff, search->result());
                    const std::vector<Vertex> several = several_sources(graph.vertices, source);
                    search->run_nearest(several);
                    check_nearest<TypeParam>(comm::Communicator::alone(), graph, several, kNoCutoff, search->result());
                }
            }
        }
    }
}

TYPED_TEST(OneRankSearch, FollowsAPathOf100000Vertices)
{
    RandomNumbers random(13);
    WeightedGraph<TypeParam> graph{100000, false, {}};
    const WeightRange kind = std::is_integral_v<TypeParam> ? WeightRange::largest : WeightRange::any;
    for (std::int64_t v = 1; v < graph.vertices; ++v)
        graph.edges.push_back({v - 1, v, random_weight<TypeParam>(random, kind)});
    const DistributedGraph built = construct_alone<TypeParam>(graph);
    for (const int threads : {1, 2, 5}) {
        const ThreadGuard guard(threads);
        const auto search = make_one_rank_search(built, with_method(SsspMethod::delta_stepping), kAllThreads);
        for (const std::int64_t source : {0, 40000}) {
            search->run(source);
            check_result<TypeParam>(graph, source, kNoCutoff, search->result());
        }
    }
}

TEST(OneRankSearch, SearchesRoadsWithAllThreads)
{
    // Wide enough that no thread searches alone, with towns of dead ends.
    RandomNumbers random(14);
    WeightedGraph<std::uint32_t> graph{300 * 300 + 20000, false, {}};
    for (std::int64_t v = 0; v < 90000; ++v) {
        if (v % 300 != 0 && random.chance(0.8)) graph.edges.push_back({v, v - 1, random.below(1000)});
        if (v >= 300 && random.chance(0.8)) graph.edges.push_back({v - 300, v, random.below(1000)});
    }
    for (std::int64_t v = 90000; v < graph.vertices; ++v)
        graph.edges.push_back({v, random.below(90000), random.below(1000)});
    const DistributedGraph built = construct_alone<std::uint32_t>(graph);
    for (const int threads : {2, 3}) {
        const ThreadGuard guard(threads);
        for (const double delta : {50.0, 2000.0}) {
            SsspOptions options = with_method(SsspMethod::delta_stepping);
            options.delta = delta;
            const auto search = make_one_rank_search(built, options, kAllThreads);
            for (const std::int64_t source : {45150, 90001}) {
                search->run(source);
                check_result<std::uint32_t>(graph, source, kNoCutoff, search->result());
            }
        }
    }
}

TEST(OneRankSearch, UsesWideDistancesOnlyWhereNarrowOnesDoNotSuffice)
{
    constexpr std::uint32_t most = 0xFFFFFFFF;
    // From 1, all distances fit 32 bits; from 0, that of vertex 2 does not; 3 and 4 are another
    // component.
    const WeightedGraph<std::uint32_t> graph{5, true, {{0, 1, most - 1}, {1, 2, 1}, {3, 4, most}}};
    const DistributedGraph built = construct_alone<std::uint32_t>(graph);
    for (const SsspMethod method : {SsspMethod::dijkstra, SsspMethod::delta_stepping}) {
        const auto search = make_one_rank_search(built, with_method(method));
        search->run(1);
        EXPECT_TRUE(std::holds_alternative<HostBuffer<std::uint32_t>>(search->result().distances));
        search->run(0);
        EXPECT_EQ(distances_of<std::int64_t>(search->result()), (std::vector<std::int64_t>{0, most - 1, most, -1, -1}));
        EXPECT_TRUE(std::holds_alternative<HostBuffer<std::int64_t>>(search->result().distances));
        search->run(3);  // the largest 32-bit number means "not reached"
        EXPECT_EQ(distances_of<std::int64_t>(search->result()), (std::vector<std::int64_t>{-1, -1, -1, 0, most}));
        search->run(1);
        EXPECT_EQ(distances_of<std::int64_t>(search->result()), (std::vector<std::int64_t>{-1, 0, 1, -1, -1}));
        EXPECT_TRUE(std::holds_alternative<HostBuffer<std::uint32_t>>(search->result().distances));
    }
}

TEST(OneRankSearch, ACutoffKeepsDistancesNarrow)
{
    constexpr std::uint32_t most = 0xFFFFFFFF;
    const WeightedGraph<std::uint32_t> graph{3, false, {{0, 1, most - 1}, {1, 2, most}}};
    SsspOptions options = with_method(SsspMethod::delta_stepping);
    options.cutoff = most - 1;
    const auto search = make_one_rank_search(construct_alone<std::uint32_t>(graph), options);
    search->run(0);
    EXPECT_EQ(distances_of<std::int64_t>(search->result()), (std::vector<std::int64_t>{0, most - 1, -1}));
    EXPECT_TRUE(std::holds_alternative<HostBuffer<std::uint32_t>>(search->result().distances));
}

TEST(OneRankSearch, ThrowsIfADistanceDoesNotFitTheWidestType)
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const WeightedGraph<std::int64_t> whole{4, true, {{0, 1, most - 5}, {1, 2, 9}, {2, 3, 1}}};
    const WeightedGraph<float> real{4, true, {{0, 1, 3e38F}, {1, 2, 3e38F}, {2, 3, 1}}};
    for (const SsspMethod method : {SsspMethod::dijkstra, SsspMethod::delta_stepping}) {
        EXPECT_THROW(make_one_rank_search(construct_alone<std::int64_t>(whole), with_method(method))->run(0),
                     ResourceError);
        EXPECT_THROW(make_one_rank_search(construct_alone<float>(real), with_method(method))->run(0), ResourceError);
        EXPECT_NO_THROW(make_one_rank_search(construct_alone<std::int64_t>(whole), with_method(method))->run(1));
    }
}

TEST(OneRankSearch, RefusesNegativeWeights)
{
    const WeightedGraph<std::int64_t> graph{3, false, {{0, 1, 5}, {1, 2, -3}}};
    try {
        (void)make_one_rank_search(construct_alone<std::int64_t>(graph), with_method(SsspMethod::dijkstra));
        FAIL() << "the weight was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("an edge has weight -3"), std::string::npos) << error.what();
    }
}

TEST(OneRankSearch, EdgesWithoutWeightsHaveLengthOne)
{
    const ThreadGuard guard(1);
    const EdgeList list = share_of({5, false, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}}, Deal::in_turn, 0, 1);
    const DistributedGraph graph = construct(comm::ProcessGrid(comm::Communicator::alone(), {1, 1}), ListFeed(list));
    const auto search = make_one_rank_search(graph, with_method(SsspMethod::automatic));
    search->run(0);
    EXPECT_EQ(distances_of<std::int64_t>(search->result()), (std::vector<std::int64_t>{0, 1, 2, 1, -1}));
    EXPECT_EQ(search->result().method, SsspMethod::dijkstra);
    EXPECT_EQ(search->description(), "Dijkstra's algorithm, since the graph is small");
}

/// Each vertex is a source at distance 0 from all before it, so that smaller sources follow each other along the path.
TEST(OneRankSearch, SettlesManyTiesInFewRelaxations)
{
    WeightedGraph<std::uint32_t> path{2000, true, {}};
    std::vector<Vertex> all{0};
    for (std::int64_t v = 1; v < path.vertices; ++v) {
        path.edges.push_back({v - 1, v, 0});
        all.push_back(v);
    }
    const DistributedGraph built = construct_alone<std::uint32_t>(path);
    const std::vector<Vertex> few{0, 5, 700};
    for (const int threads : {1, 3}) {
        const ThreadGuard guard(threads);
        const auto search = make_one_rank_search(built, with_method(SsspMethod::delta_stepping), kAllTogether);
        for (const std::vector<Vertex>* const sources : {&std::as_const(all), &few, &std::as_const(all)}) {
            search->run_nearest(*sources);
            check_nearest<std::uint32_t>(comm::Communicator::alone(), path, *sources, kNoCutoff, search->result());
            EXPECT_LT(search->result().counters.relaxed_arcs, 5U * path.edges.size() * static_cast<unsigned>(threads));
            search->run(3);
            check_result<std::uint32_t>(path, 3, kNoCutoff, search->result());
        }
    }
}

/// 17 bits for parents leave 15 for sources. They are the even numbers from 0 on, on a ring.
TEST(OneRankSearch, FindsTheNearestOfMoreSourcesThanLabelsHaveBitsFor)
{
    WeightedGraph<std::uint32_t> ring{70000, false, {}};
    for (std::int64_t v = 0; v < ring.vertices; ++v) ring.edges.push_back({v, (v + 1) % ring.vertices, 1});
    const DistributedGraph built = construct_alone<std::uint32_t>(ring);
    for (const std::int64_t count : {32766, 32767, 34000}) {
        std::vector<Vertex> sources;
        for (std::int64_t i = 0; i < count; ++i) sources.push_back(2 * i);
        for (const int threads : {1, 2}) {
            const ThreadGuard guard(threads);
            const auto search = make_one_rank_search(built, with_method(SsspMethod::delta_stepping), kAllTogether);
            search->run_nearest(sources);
            const VertexArray& nearest = search->result().nearest;
            for (std::int64_t v = 0; v < ring.vertices; ++v) {
                const std::int64_t before = std::min(v / 2 * 2, sources.back());
                const std::int64_t expected = ring.vertices - v <= v - before ? 0 : before;
                ASSERT_EQ(nearest[static_cast<std::size_t>(v)], expected) << "vertex " << v << " of " << count;
            }
        }
    }
}

TEST(OneRankSearch, ChoosesTheSmallestParents)
{
    // 4 can come from 1, 2 and 3; 5, 6 and 7 are as far as 4, and 7 is nearest to it over 6.
    const WeightedGraph<std::uint32_t> graph{
        8,
        false,
        {{0, 3, 1}, {0, 2, 1}, {0, 1, 2}, {3, 4, 2}, {2, 4, 2}, {1, 4, 1}, {4, 6, 0}, {6, 7, 0}, {7, 5, 0}, {4, 5, 0}}};
    const DistributedGraph built = construct_alone<std::uint32_t>(graph);
    for (const SsspMethod method : {SsspMethod::dijkstra, SsspMethod::delta_stepping}) {
        SsspOptions options = with_method(method);
        options.smallest_parents = true;
        const auto search = make_one_rank_search(built, options);
        search->run(0);
        EXPECT_EQ(parents_of(search->result()), (std::vector<std::int64_t>{0, 0, 0, 0, 1, 4, 4, 5}));
    }
}

TEST(OneRankSearch, ChoosesTheSmallestParentsOfVerticesWithoutOutEdges)
{
    // 4 can come from 5, or from 1, whose own distance comes from 5. 7 can come from 1, and from
    // the nearer 8.
    const WeightedGraph<std::uint32_t> graph{
        9,
        true,
        {{0, 5, 5}, {5, 1, 0}, {5, 4, 0}, {1, 4, 0}, {0, 8, 2}, {8, 7, 3}, {1, 7, 0}, {1, 0, 1}, {5, 0, 1}, {8, 0, 1}}};
    SsspOptions options;
    options.smallest_parents = true;
    const auto search = make_one_rank_search(construct_alone<std::uint32_t>(graph), options);
    search->run(0);
    EXPECT_EQ(parents_of(search->result()), (std::vector<std::int64_t>{0, 5, -1, -1, 5, 0, -1, 8, 0}));
}

TEST(OneRankSearch, UsesAsManyThreadsAsHaveWork)
{
    const ThreadGuard guard(4);
    WeightedGraph<std::uint32_t> graph{600, false, {}};
    for (std::int64_t v = 1; v < graph.vertices; ++v) {
        graph.edges.push_back({v - 1, v, 10});
        if (v > 1) graph.edges.push_back({v - 2, v, 10});
    }
    const DistributedGraph built = construct_alone<std::uint32_t>(graph);  // 2394 arcs
    const auto description = [&](std::uint64_t arcs_per_thread, std::uint64_t parallel_from_arcs = 2394) {
        OneRankTuning tuning;
        tuning.parallel_from_arcs = parallel_from_arcs;
        tuning.arcs_per_thread = arcs_per_thread;
        SsspOptions options = with_method(SsspMethod::automatic);
        options.delta = 100;
        return make_one_rank_search(built, options, tuning)->description();
    };
    EXPECT_EQ(description(1 << 16), "delta-stepping with buckets of width 100 on 1 thread");
    EXPECT_EQ(description(1000), "delta-stepping with buckets of width 100 on 2 threads");
    EXPECT_EQ(description(10), "delta-stepping with buckets of width 100 on 4 threads");
    EXPECT_EQ(description(10, 2395), "delta-stepping with buckets of width 100 on 1 thread");
}

/// How a graph is searched in which each vertex has edges of weight 10 to the next two vertices, and one of weight
/// `heavy` to the third.
std::string with_heavy_detours(std::uint32_t heavy)
{
    WeightedGraph<std::uint32_t> graph{1000, false, {}};
    for (std::int64_t v = 0; v < graph.vertices; ++v)
        for (std::int64_t step = 1; step <= 3 && v + step < graph.vertices; ++step)
            graph.edges.push_back({v, v + step, step == 3 ? heavy : 10});
    return make_one_rank_search(construct_alone<std::uint32_t>(graph), with_method(SsspMethod::delta_stepping))
        ->description();
}

TEST(OneRankSearch, HeavyEdgesThatPathsAvoidDoNotWidenTheBuckets)
{
    const ThreadGuard guard(1);
    EXPECT_EQ(with_heavy_detours(1000), with_heavy_detours(100000));
    EXPECT_NE(with_heavy_detours(1000), with_heavy_detours(10));
}

// In buckets for the light edges alone, a path along a thousand heavy ones would be a million of them.
TEST(OneRankSearch, HeavyEdgesThatPathsNeedWidenTheBuckets)
{
    const ThreadGuard guard(1);
    const auto width = [](std::uint32_t heavy) {
        WeightedGraph<std::uint32_t> graph{1000, false, {}};
        for (std::int64_t v = 1; v < graph.vertices; ++v) graph.edges.push_back({v - 1, v, v % 10 == 0 ? heavy : 10});
        const std::string text =
            make_one_rank_search(construct_alone<std::uint32_t>(graph), with_method(SsspMethod::delta_stepping))
                ->description();
        const std::string before = "width ";
        return std::stod(text.substr(text.find(before) + before.size()));
    };
    EXPECT_NEAR(width(1000000) / width(10000), 100, 1);
}

TEST(OneRankSearch, CountsWhatItDid)
{
    const WeightedGraph<std::uint32_t> graph{4, false, {{0, 1, 1}, {1, 2, 1}, {2, 0, 5}, {2, 3, 1}}};
    const auto search = make_one_rank_search(construct_alone<std::uint32_t>(graph), with_method(SsspMethod::dijkstra));
    search->run(0);
    EXPECT_EQ(search->result().counters.relaxed_arcs, 6U);  // the triangle's; 3 is a leaf
    EXPECT_EQ(search->result().counters.pulled_arcs, 1U);
}

}  // namespace
}  // namespace wayfront::cpu
