#include "cpu/pairs/pair_searches.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "graph/construction.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"
#include "support/weighted_shapes.hpp"

namespace wayfront::cpu {
namespace {

template <typename W>
using WeightedGraph = oracle::WeightedGraph<OracleWeight<W>>;

template <typename W>
DistributedGraph construct_alone(const WeightedGraph<W>& graph)
{
    return construct(comm::ProcessGrid(comm::Communicator::alone(), {1, 1}), ShareFeed<W>(graph, 0, 1), {});
}

/// The sum of the lightest edges along a path, in the order of the path; infinity if one is missing.
template <typename W>
OracleWeight<W> length_of(const WeightedGraph<W>& graph, const std::vector<Vertex>& path)
{
    using O = OracleWeight<W>;
    std::map<std::pair<Vertex, Vertex>, O> lightest;
    graph.for_each_arc([&](std::int64_t u, std::int64_t v, O weight) {
        const auto [entry, is_new] = lightest.try_emplace({u, v}, weight);
        if (weight < entry->second) entry->second = weight;
    });
    O sum = 0;
    for (std::size_t i = 1; i < path.size(); ++i) {
        const auto edge = lightest.find({path[i - 1], path[i]});
        if (edge == lightest.end()) return oracle::infinity<O>();
        sum = static_cast<O>(sum + edge->second);
    }
    return sum;
}

/// `most`: the largest distance that is to be found.
template <typename W>
void check_answers(const WeightedGraph<W>& graph, PairSearches& searches, const std::vector<algo::VertexPair>& pairs,
                   bool with_paths, OracleWeight<W> most = oracle::infinity<OracleWeight<W>>())
{
    using O = OracleWeight<W>;
    const std::vector<algo::PairAnswer> answers = searches.answer(pairs, with_paths);
    ASSERT_EQ(answers.size(), pairs.size());
    std::map<Vertex, std::vector<O>> rows;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [source, target] = pairs[i];
        SCOPED_TRACE(testing::Message() << source << " to " << target);
        const auto [row, is_new] = rows.try_emplace(source);
        if (is_new) row->second = oracle::dijkstra(graph, source);
        const O expected = row->second[static_cast<std::size_t>(target)];
        if (expected == oracle::infinity<O>() || expected > most) {
            EXPECT_FALSE(answers[i].distance.has_value());
            EXPECT_TRUE(answers[i].path.empty());
            continue;
        }
        ASSERT_TRUE(answers[i].distance.has_value());
        EXPECT_EQ(std::get<O>(*answers[i].distance), expected);
        if (!with_paths) {
            EXPECT_TRUE(answers[i].path.empty());
            continue;
        }
        ASSERT_FALSE(answers[i].path.empty());
        EXPECT_EQ(answers[i].path.front(), source);
        EXPECT_EQ(answers[i].path.back(), target);
        EXPECT_EQ(length_of<W>(graph, answers[i].path), expected);
        const std::set<Vertex> distinct(answers[i].path.begin(), answers[i].path.end());
        EXPECT_EQ(distinct.size(), answers[i].path.size()) << "the path has a loop";
    }
}

template <typename W>
class PairSearchesTest : public testing::Test
{
};
using WeightTypes = testing::Types<std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(PairSearchesTest, WeightTypes);

TYPED_TEST(PairSearchesTest, RandomPairsOfSmallGraphs)
{
    RandomNumbers random(21);
    for (std::uint32_t i = 0; i < 1500; ++i) {
        const ThreadGuard threads(i % 50 == 0 ? 3 : 1);
        const auto graph = shaped_graph<TypeParam>(random, kShapes[random.below(kShapes.size())], 60,
                                                   kWeightRanges[random.below(kWeightRanges.size())]);
        const auto searches = make_pair_searches(construct_alone<TypeParam>(graph));
        if (searches == nullptr) continue;  // weights of 60 bits
        const auto vertices = static_cast<std::uint32_t>(graph.vertices);
        std::vector<algo::VertexPair> pairs;
        for (int k = 0; k < 8; ++k) pairs.push_back({random.below(vertices), random.below(vertices)});
        // Pairs that share a search, from either end.
        for (int k = 0; k < 5; ++k) pairs.push_back({0, random.below(vertices)});
        for (int k = 0; k < 5; ++k) pairs.push_back({random.below(vertices), vertices / 2});
        pairs.push_back(pairs.front());
        check_answers<TypeParam>(graph, *searches, pairs, i % 3 != 0);
        check_answers<TypeParam>(graph, *searches, pairs, true);
        if (this->HasFailure()) FAIL() << "graph " << i;
    }
}

constexpr std::size_t kManyPairs = 1000000;

template <typename O>
algo::Cutoff cutoff_of(O most)
{
    if constexpr (std::is_integral_v<O>)
        return algo::Cutoff::of_whole(most);
    else
        return algo::Cutoff(static_cast<double>(most));
}

TYPED_TEST(PairSearchesTest, PairsUpToACutoff)
{
    using O = OracleWeight<TypeParam>;
    RandomNumbers random(23);
    int searched = 0;
    for (std::uint32_t i = 0; i < 600; ++i) {
        const auto graph = shaped_graph<TypeParam>(random, kShapes[random.below(kShapes.size())], 60,
                                                   kWeightRanges[random.below(kWeightRanges.size())]);
        const auto vertices = static_cast<std::uint32_t>(graph.vertices);
        std::vector<algo::VertexPair> pairs;
        for (int k = 0; k < 12; ++k) pairs.push_back({random.below(vertices), random.below(vertices)});
        for (int k = 0; k < 6; ++k) pairs.push_back({pairs[0].source, random.below(vertices)});
        // The distance of a pair, so that this one and shorter ones are found.
        const O most =
            oracle::dijkstra(graph, pairs[0].source)[static_cast<std::size_t>(pairs[random.below(18)].target)];
        if (most == oracle::infinity<O>()) continue;
        const auto searches =
            make_pair_searches(construct_alone<TypeParam>(graph),
                               {.pairs = i % 2 == 0 ? 1 : kManyPairs, .search_seconds = 1, .cutoff = cutoff_of(most)});
        if (searches == nullptr) continue;  // weights of 60 bits
        check_answers<TypeParam>(graph, *searches, pairs, true, most);
        ++searched;
        if (this->HasFailure()) FAIL() << "graph " << i << ", cutoff " << most;
    }
    EXPECT_GT(searched, 200);
}

/// So many pairs that elimination is tried wherever it is possible.
constexpr PairSearchOptions kMany{.pairs = kManyPairs, .search_seconds = 1};

TYPED_TEST(PairSearchesTest, ManyPairsOfSmallGraphs)
{
    RandomNumbers random(22);
    int eliminated = 0;
    for (std::uint32_t i = 0; i < 1500; ++i) {
        const ThreadGuard threads(i % 50 == 0 ? 3 : 1);
        const auto graph = shaped_graph<TypeParam>(random, kShapes[random.below(kShapes.size())], 60,
                                                   kWeightRanges[random.below(kWeightRanges.size())]);
        const auto searches = make_pair_searches(construct_alone<TypeParam>(graph), kMany);
        if (searches == nullptr) continue;  // weights of 60 bits
        eliminated += searches->description().starts_with("elimination") ? 1 : 0;
        const auto vertices = static_cast<std::uint32_t>(graph.vertices);
        std::vector<algo::VertexPair> pairs;
        for (int k = 0; k < 40; ++k) pairs.push_back({random.below(vertices), random.below(vertices)});
        check_answers<TypeParam>(graph, *searches, pairs, i % 4 != 0);
        if (this->HasFailure()) FAIL() << "graph " << i << ", " << searches->description();
    }
    EXPECT_EQ(eliminated > 500, std::is_integral_v<TypeParam>) << eliminated << " graphs";
}

TEST(PairSearches, DistancesBeyond32Bits)
{
    constexpr std::int64_t heavy = 2147483647;
    WeightedGraph<std::uint32_t> path{9, true, {}};
    for (std::int64_t v = 0; v + 1 < 9; ++v) path.edges.push_back({v, v + 1, heavy});
    const auto searches = make_pair_searches(construct_alone<std::uint32_t>(path));
    check_answers<std::uint32_t>(path, *searches, {{0, 8}, {1, 2}, {8, 0}, {0, 4}, {0, 5}}, true);
    check_answers<std::uint32_t>(path, *searches, {{0, 8}}, true);
}

TEST(PairSearches, UnweightedGraphsCountEdges)
{
    RandomNumbers random(24);
    for (int i = 0; i < 300; ++i) {
        WeightedGraph<std::uint32_t> graph{1 + random.below(80), random.below(2) == 0, {}};
        const auto vertices = static_cast<std::uint32_t>(graph.vertices);
        for (std::uint32_t edge = random.below(3 * vertices); edge > 0; --edge)
            graph.edges.push_back({random.below(vertices), random.below(vertices), 1});
        const auto searches = make_pair_searches(construct_alone<std::uint32_t>(graph));
        std::vector<algo::VertexPair> pairs;
        for (int k = 0; k < 20; ++k) pairs.push_back({random.below(vertices), random.below(vertices)});
        for (int k = 0; k < 8; ++k) pairs.push_back({0, random.below(vertices)});
        check_answers<std::uint32_t>(graph, *searches, pairs, true);
        if (testing::Test::HasFailure()) FAIL() << "graph " << i;
    }
}

TEST(PairSearches, NegativeWeightsAreForOthers)
{
    const WeightedGraph<std::int64_t> graph{3, true, {{0, 1, -1}, {1, 2, 4}}};
    EXPECT_EQ(make_pair_searches(construct_alone<std::int64_t>(graph)), nullptr);
}

TEST(PairSearches, AGridOfRoads)
{
    RandomNumbers random(5);
    WeightedGraph<std::uint32_t> roads{6400, false, {}};
    for (std::int64_t v = 0; v < roads.vertices; ++v) {
        if (v % 80 != 0) roads.edges.push_back({v, v - 1, 1 + static_cast<std::int64_t>(random.below(500))});
        if (v >= 80) roads.edges.push_back({v - 80, v, 1 + static_cast<std::int64_t>(random.below(500))});
    }
    const ThreadGuard threads(2);
    const auto searches = make_pair_searches(construct_alone<std::uint32_t>(roads));
    std::vector<algo::VertexPair> pairs;
    for (int i = 0; i < 60; ++i) pairs.push_back({random.below(6400), random.below(6400)});
    check_answers<std::uint32_t>(roads, *searches, pairs, true);
    const auto eliminated = make_pair_searches(construct_alone<std::uint32_t>(roads), kMany);
    EXPECT_EQ(eliminated->description(), "elimination of vertices, since there are many pairs");
    check_answers<std::uint32_t>(roads, *eliminated, pairs, true);
}

}  // namespace
}  // namespace wayfront::cpu
