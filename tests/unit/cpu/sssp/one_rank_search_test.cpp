#include "cpu/sssp/one_rank_search.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "graph/construction.hpp"
#include "oracle/serial_dijkstra.hpp"
#include "support/random_numbers.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::cpu {
namespace {

using algo::SsspMethod;
using algo::SsspOptions;
using algo::SsspResult;

template <typename W>
WeightType weight_type_of()
{
    if constexpr (std::is_same_v<W, std::uint32_t>) return WeightType::uint32;
    if constexpr (std::is_same_v<W, std::int64_t>) return WeightType::int64;
    if constexpr (std::is_same_v<W, float>) return WeightType::float32;
    if constexpr (std::is_same_v<W, double>) return WeightType::float64;
    return WeightType::none;
}

/// The edges of the oracle's graph, in the program's form.
template <typename W>
class OracleFeed final : public EdgeFeed
{
public:
    explicit OracleFeed(const oracle::WeightedGraph<W>& graph, bool weighted = true) : graph_(graph), weighted_(weighted) {}

    [[nodiscard]] Vertex vertex_count() const override { return graph_.vertices; }
    [[nodiscard]] bool directed() const override { return graph_.directed; }
    [[nodiscard]] EdgeCount size() const override { return static_cast<EdgeCount>(graph_.edges.size()); }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count, std::span<PackedEdge> scratch) const override
    {
        for (std::size_t i = 0; i < count; ++i) scratch[i] = PackedEdge::pack(edge(first, i).source, edge(first, i).target);
        return scratch.first(count);
    }
    [[nodiscard]] WeightType weight_type() const override { return weighted_ ? weight_type_of<W>() : WeightType::none; }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override { write(first, out); }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override { write(first, out); }

private:
    [[nodiscard]] const auto& edge(EdgeCount first, std::size_t i) const { return graph_.edges[static_cast<std::size_t>(first) + i]; }
    template <typename Word>
    void write(EdgeCount first, std::span<Word> out) const
    {
        if constexpr (std::is_same_v<Word, OrderedWord<W>>)
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = to_ordered(edge(first, i).weight);
    }

    const oracle::WeightedGraph<W>& graph_;
    bool weighted_;
};

DistributedGraph construct_alone(const EdgeFeed& feed, ListOrder order = ListOrder::neighbours)
{
    const ThreadGuard guard(1);
    ConstructionOptions options;
    options.list_order = order;
    return construct(comm::ProcessGrid(comm::Communicator::alone(), {1, 1}), feed, options);
}

/// The distances of the result, as the oracle writes them: -1 if not reached.
template <typename D>
std::vector<D> distances_of(const SsspResult& result)
{
    std::vector<D> distances;
    std::visit(
        [&](const auto& buffer) {
            using T = typename std::decay_t<decltype(buffer)>::value_type;
            for (const T distance : buffer) distances.push_back(distance == algo::unreached<T>() ? D{-1} : static_cast<D>(distance));
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
using SumOf = std::conditional_t<std::is_integral_v<W>, std::int64_t, W>;

template <typename W>
void check_result(const oracle::WeightedLists<W>& lists, std::int64_t source, double cutoff, const SsspResult& result)
{
    using D = SumOf<W>;
    const std::vector<D> expected = oracle::dijkstra_distances<D>(lists, source, cutoff);
    const std::vector<D> distances = distances_of<D>(result);
    ASSERT_EQ(distances.size(), expected.size());
    std::uint64_t reached = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
        ASSERT_EQ(distances[v], expected[v]) << "vertex " << v << " from " << source;
        if (expected[v] != D{-1}) ++reached;
    }
    ASSERT_EQ(result.reached, reached);
    ASSERT_EQ(oracle::shortest_path_tree_fault(lists, source, distances, parents_of(result)), "");
}

SsspOptions with_method(SsspMethod method)
{
    SsspOptions options;
    options.method = method;
    return options;
}

/// All threads take part, whatever the size of the graph.
constexpr OneRankTuning kAllThreads{.arcs_per_thread = 0};
/// No thread searches alone, not even in the smallest graphs.
constexpr OneRankTuning kAllTogether{.delta_stepping_from_arcs = 0, .arcs_per_thread = 0, .alone_arcs = 0};

/// A random weight. `kind` selects among distributions: small numbers and many zeros, zeros only,
/// equal weights, and the whole range.
template <typename W>
W random_weight(RandomNumbers& random, std::uint32_t kind)
{
    switch (kind % 4) {
        case 0:
            return static_cast<W>(random.below(4));
        case 1:
            return W{0};
        case 2:
            return W{7};
        default:
            if constexpr (std::is_floating_point_v<W>)
                return static_cast<W>(std::ldexp(1.0 + random.below(1 << 20), static_cast<int>(random.below(60)) - 40));
            else
                return static_cast<W>(random.next() & 0xFFFFFFFF);
    }
}

template <typename W>
oracle::WeightedGraph<W> random_graph(RandomNumbers& random, std::int64_t vertices, std::size_t edges, std::uint32_t kind)
{
    oracle::WeightedGraph<W> graph{vertices, random.chance(0.5), {}};
    const auto n = static_cast<std::uint32_t>(vertices);
    for (std::size_t i = 0; i < edges; ++i) graph.edges.push_back({random.below(n), random.below(n), random_weight<W>(random, kind)});
    return graph;
}

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
        const auto vertices = std::int64_t{1} + random.below(40);
        const oracle::WeightedGraph<TypeParam> graph = random_graph<TypeParam>(random, vertices, random.below(100), i);
        const oracle::WeightedLists<TypeParam> lists = oracle::weighted_lists(graph);
        const DistributedGraph built = construct_alone(OracleFeed(graph), i % 2 == 0 ? ListOrder::neighbours : ListOrder::weights);
        const std::int64_t source = random.below(static_cast<std::uint32_t>(vertices));
        for (const int threads : {1, 2, 5}) {
            if (threads > 1 && i % (10 * static_cast<std::uint32_t>(threads)) != 0) continue;  // slow on machines with fewer cores
            const ThreadGuard guard(threads);
            for (const SsspMethod method : {SsspMethod::dijkstra, SsspMethod::delta_stepping}) {
                SsspOptions options = with_method(method);
                if (random.chance(0.3)) options.delta = std::ldexp(1.0, static_cast<int>(random.below(50)) - 25);
                if (random.chance(0.2)) options.cutoff = random.below(20);
                options.smallest_parents = random.chance(0.3);
                const auto search = make_one_rank_search(built, options, random.chance(0.5) ? kAllTogether : kAllThreads);
                for (const std::int64_t key : {source, vertices - 1}) {
                    search->run(key);
                    check_result(lists, key, options.cutoff, search->result());
                    if (this->HasFatalFailure()) FAIL() << "graph " << i << " on " << threads << " threads by " << search->description();
                }
            }
        }
    }
}

TYPED_TEST(OneRankSearch, FindsShortestPathsInLargerGraphs)
{
    RandomNumbers random(12);
    std::vector<oracle::WeightedGraph<TypeParam>> graphs;
    for (std::uint32_t kind = 0; kind < 4; ++kind) graphs.push_back(random_graph<TypeParam>(random, 5000, 15000, kind));
    oracle::WeightedGraph<TypeParam> star{30000, false, {}};
    for (std::int64_t v = 1; v < star.vertices; ++v) star.edges.push_back({0, v, random_weight<TypeParam>(random, 3)});
    oracle::WeightedGraph<TypeParam> map{60 * 60, false, {}};
    for (std::int64_t v = 0; v < map.vertices; ++v) {
        if (v % 60 != 0) map.edges.push_back({v, v - 1, random_weight<TypeParam>(random, 0)});
        if (v >= 60) map.edges.push_back({v - 60, v, static_cast<TypeParam>(1 + random.below(1000))});
    }
    graphs.push_back(std::move(star));
    graphs.push_back(std::move(map));
    for (const oracle::WeightedGraph<TypeParam>& graph : graphs) {
        const oracle::WeightedLists<TypeParam> lists = oracle::weighted_lists(graph);
        const DistributedGraph built = construct_alone(OracleFeed(graph));
        for (const int threads : {1, 2, 5}) {
            const ThreadGuard guard(threads);
            for (const SsspMethod method : {SsspMethod::automatic, SsspMethod::dijkstra}) {
                const auto search = make_one_rank_search(built, with_method(method), kAllThreads);
                for (const std::int64_t source : {std::int64_t{0}, graph.vertices / 2}) {
                    search->run(source);
                    ASSERT_NO_FATAL_FAILURE(check_result(lists, source, std::numeric_limits<double>::infinity(), search->result()));
                }
            }
        }
    }
}

TYPED_TEST(OneRankSearch, FollowsAPathOf100000Vertices)
{
    RandomNumbers random(13);
    oracle::WeightedGraph<TypeParam> graph{100000, false, {}};
    for (std::int64_t v = 1; v < graph.vertices; ++v)
        graph.edges.push_back({v - 1, v, std::is_integral_v<TypeParam> ? static_cast<TypeParam>(0xFFFFFFFF) : random_weight<TypeParam>(random, 3)});
    const oracle::WeightedLists<TypeParam> lists = oracle::weighted_lists(graph);
    const DistributedGraph built = construct_alone(OracleFeed(graph));
    for (const int threads : {1, 2, 5}) {
        const ThreadGuard guard(threads);
        const auto search = make_one_rank_search(built, with_method(SsspMethod::delta_stepping), kAllThreads);
        for (const std::int64_t source : {0, 40000}) {
            search->run(source);
            ASSERT_NO_FATAL_FAILURE(check_result(lists, source, std::numeric_limits<double>::infinity(), search->result()));
        }
    }
}

TEST(OneRankSearch, SearchesRoadsWithAllThreads)
{
    // Wide enough that no thread searches alone, with towns of dead ends.
    RandomNumbers random(14);
    oracle::WeightedGraph<std::uint32_t> graph{300 * 300 + 20000, false, {}};
    for (std::int64_t v = 0; v < 90000; ++v) {
        if (v % 300 != 0 && random.chance(0.8)) graph.edges.push_back({v, v - 1, random.below(1000)});
        if (v >= 300 && random.chance(0.8)) graph.edges.push_back({v - 300, v, random.below(1000)});
    }
    for (std::int64_t v = 90000; v < graph.vertices; ++v) graph.edges.push_back({v, random.below(90000), random.below(1000)});
    const oracle::WeightedLists<std::uint32_t> lists = oracle::weighted_lists(graph);
    const DistributedGraph built = construct_alone(OracleFeed(graph));
    for (const int threads : {2, 3}) {
        const ThreadGuard guard(threads);
        for (const double delta : {50.0, 2000.0}) {
            SsspOptions options = with_method(SsspMethod::delta_stepping);
            options.delta = delta;
            const auto search = make_one_rank_search(built, options, kAllThreads);
            for (const std::int64_t source : {45150, 90001}) {
                search->run(source);
                ASSERT_NO_FATAL_FAILURE(check_result(lists, source, std::numeric_limits<double>::infinity(), search->result()));
            }
        }
    }
}

TEST(OneRankSearch, UsesWideDistancesOnlyWhereNarrowOnesDoNotSuffice)
{
    constexpr std::uint32_t most = 0xFFFFFFFF;
    // From 1, all distances fit 32 bits; from 0, that of vertex 2 does not; 3 and 4 are another component.
    const oracle::WeightedGraph<std::uint32_t> graph{5, true, {{0, 1, most - 1}, {1, 2, 1}, {3, 4, most}}};
    const DistributedGraph built = construct_alone(OracleFeed(graph));
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
    const oracle::WeightedGraph<std::uint32_t> graph{3, false, {{0, 1, most - 1}, {1, 2, most}}};
    SsspOptions options = with_method(SsspMethod::delta_stepping);
    options.cutoff = most - 1;
    const auto search = make_one_rank_search(construct_alone(OracleFeed(graph)), options);
    search->run(0);
    EXPECT_EQ(distances_of<std::int64_t>(search->result()), (std::vector<std::int64_t>{0, most - 1, -1}));
    EXPECT_TRUE(std::holds_alternative<HostBuffer<std::uint32_t>>(search->result().distances));
}

TEST(OneRankSearch, ThrowsIfADistanceDoesNotFitTheWidestType)
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const oracle::WeightedGraph<std::int64_t> whole{4, true, {{0, 1, most - 5}, {1, 2, 9}, {2, 3, 1}}};
    const oracle::WeightedGraph<float> real{4, true, {{0, 1, 3e38F}, {1, 2, 3e38F}, {2, 3, 1}}};
    for (const SsspMethod method : {SsspMethod::dijkstra, SsspMethod::delta_stepping}) {
        EXPECT_THROW(make_one_rank_search(construct_alone(OracleFeed(whole)), with_method(method))->run(0), ResourceError);
        EXPECT_THROW(make_one_rank_search(construct_alone(OracleFeed(real)), with_method(method))->run(0), ResourceError);
        EXPECT_NO_THROW(make_one_rank_search(construct_alone(OracleFeed(whole)), with_method(method))->run(1));
    }
}

TEST(OneRankSearch, RefusesNegativeWeights)
{
    const oracle::WeightedGraph<std::int64_t> graph{3, false, {{0, 1, 5}, {1, 2, -3}}};
    try {
        (void)make_one_rank_search(construct_alone(OracleFeed(graph)), with_method(SsspMethod::dijkstra));
        FAIL() << "the weight was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("an edge has weight -3"), std::string::npos) << error.what();
    }
}

TEST(OneRankSearch, EdgesWithoutWeightsHaveLengthOne)
{
    const oracle::WeightedGraph<std::uint32_t> graph{5, false, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}}};
    const auto search = make_one_rank_search(construct_alone(OracleFeed(graph, false)), with_method(SsspMethod::automatic));
    search->run(0);
    EXPECT_EQ(distances_of<std::int64_t>(search->result()), (std::vector<std::int64_t>{0, 1, 2, 1, -1}));
    EXPECT_EQ(search->result().method, SsspMethod::dijkstra);
    EXPECT_EQ(search->description(), "Dijkstra's algorithm, since the graph is small");
}

TEST(OneRankSearch, ChoosesTheSmallestParents)
{
    // 4 can come from 1, 2 and 3; 5, 6 and 7 are as far as 4, and 7 is nearest to it over 6.
    const oracle::WeightedGraph<std::uint32_t> graph{
        8, false, {{0, 3, 1}, {0, 2, 1}, {0, 1, 2}, {3, 4, 2}, {2, 4, 2}, {1, 4, 1}, {4, 6, 0}, {6, 7, 0}, {7, 5, 0}, {4, 5, 0}}};
    const DistributedGraph built = construct_alone(OracleFeed(graph));
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
    // 4 can come from 5, or from 1, whose own distance comes from 5. 7 can come from 1, and from the nearer 8.
    const oracle::WeightedGraph<std::uint32_t> graph{
        9, true, {{0, 5, 5}, {5, 1, 0}, {5, 4, 0}, {1, 4, 0}, {0, 8, 2}, {8, 7, 3}, {1, 7, 0}, {1, 0, 1}, {5, 0, 1}, {8, 0, 1}}};
    SsspOptions options;
    options.smallest_parents = true;
    const auto search = make_one_rank_search(construct_alone(OracleFeed(graph)), options);
    search->run(0);
    EXPECT_EQ(parents_of(search->result()), (std::vector<std::int64_t>{0, 5, -1, -1, 5, 0, -1, 8, 0}));
}

TEST(OneRankSearch, UsesAsManyThreadsAsHaveWork)
{
    const ThreadGuard guard(4);
    oracle::WeightedGraph<std::uint32_t> graph{600, false, {}};
    for (std::int64_t v = 1; v < graph.vertices; ++v) {
        graph.edges.push_back({v - 1, v, 10});
        if (v > 1) graph.edges.push_back({v - 2, v, 10});
    }
    const DistributedGraph built = construct_alone(OracleFeed(graph));  // 2394 arcs
    const auto description = [&](std::uint64_t arcs_per_thread) {
        OneRankTuning tuning;
        tuning.arcs_per_thread = arcs_per_thread;
        SsspOptions options = with_method(SsspMethod::automatic);
        options.delta = 100;
        return make_one_rank_search(built, options, tuning)->description();
    };
    EXPECT_EQ(description(1 << 16), "delta-stepping with buckets of width 100 on 1 thread");
    EXPECT_EQ(description(1000), "delta-stepping with buckets of width 100 on 2 threads");
    EXPECT_EQ(description(10), "delta-stepping with buckets of width 100 on 4 threads");
}

TEST(OneRankSearch, CountsWhatItDid)
{
    const oracle::WeightedGraph<std::uint32_t> graph{4, false, {{0, 1, 1}, {1, 2, 1}, {2, 0, 5}, {2, 3, 1}}};
    const auto search = make_one_rank_search(construct_alone(OracleFeed(graph)), with_method(SsspMethod::dijkstra));
    search->run(0);
    EXPECT_EQ(search->result().counters.relaxed_arcs, 6U);  // the triangle's; 3 is a leaf
    EXPECT_EQ(search->result().counters.pulled_arcs, 1U);
}

}  // namespace
}  // namespace wayfront::cpu
