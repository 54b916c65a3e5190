// All engines of all pairs on the cores: against Dijkstra's algorithm per source
// (oracle/dijkstra.hpp) and against Boost.Graph's Floyd-Warshall, which share no code with them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cpu/apsp/arc_list_rows.hpp"
#include "cpu/apsp/bit_parallel.hpp"
#include "cpu/apsp/distance_bound.hpp"
#include "cpu/apsp/floyd_warshall.hpp"
#include "cpu/apsp/push_pull_rows.hpp"
#include "cpu/apsp/traced_parents.hpp"
#include "oracle/dijkstra.hpp"
#include "support/apsp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::all_pairs {
namespace {

/// Boost's Floyd-Warshall. Parallel edges: the smallest weight counts.
template <typename W>
std::vector<double> boost_matrix(const Graph<W>& graph)
{
    using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                             boost::property<boost::edge_weight_t, double>>;
    const auto n = static_cast<std::size_t>(graph.vertices);
    BoostGraph boost(n);
    graph.for_each_arc([&](std::int64_t u, std::int64_t v, auto weight) {
        if (u != v)
            boost::add_edge(static_cast<std::size_t>(u), static_cast<std::size_t>(v), static_cast<double>(weight),
                            boost);
    });
    std::vector<std::vector<double>> rows(n, std::vector<double>(n));
    boost::floyd_warshall_all_pairs_shortest_paths(
        boost, rows, boost::distance_inf(std::numeric_limits<double>::infinity()).distance_zero(0.0));
    std::vector<double> matrix;
    for (const std::vector<double>& row : rows) matrix.insert(matrix.end(), row.begin(), row.end());
    return matrix;
}

TEST(AllPairs, WholeWeights)
{
    for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 130}) {
        const ThreadGuard threads(n > 33 ? 2 : 1);
        for (const auto& [name, graph] :
             families<std::uint32_t>(n, [](std::uint64_t i) { return static_cast<std::int64_t>(i * 7919 % 10); })) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
            const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
            EXPECT_EQ(boost_matrix<std::uint32_t>(graph), expected);
            const cpu::DistanceBound bound = cpu::bound_distances(constructed);
            EXPECT_TRUE(std::ranges::all_of(
                expected, [&](double distance) { return std::isinf(distance) || distance <= bound.at_most; }));
            EXPECT_TRUE(std::ranges::any_of(expected, [&](double distance) { return distance == bound.at_least; }));
            const auto& checked = graph;  // OpenMP captures no structured bindings
            const auto check_both = [&](DistanceType type, bool parents, double most) {
                SCOPED_TRACE(testing::Message()
                             << algo::name_of(type) << (parents ? " with parents" : "") << ", bound " << most);
                for (const auto make_rows : {cpu::make_dijkstra_rows, cpu::make_delta_stepping_rows})
                    check<std::uint32_t>(
                        make_rows(constructed,
                                  {.type = type, .parents = parents, .most_distance = most, .batch_bytes = 4096}),
                        checked, expected);
                check<std::uint32_t>(
                    cpu::make_push_pull_rows(constructed, {.type = type, .parents = parents, .batch_bytes = 4096}),
                    checked, expected);
                check<std::uint32_t>(
                    algo::make_matrix_rows(
                        cpu::make_floyd_warshall(constructed,
                                                 {.type = type, .parents = parents, .most_distance = most, .tile = 32}),
                        nullptr),
                    checked, expected);
                if (parents) return;
                check<std::uint32_t>(elimination_rows(constructed, type), checked, expected);
                for (const std::uint32_t most_arcs : {0U, 2U, 16U})
                    check<std::uint32_t>(
                        algo::make_matrix_rows(combined_rows(constructed, type, most, most_arcs), nullptr), checked,
                        expected);
            };
            // The bound also chooses the type of the computation.
            check_both(DistanceType::uint16, false, bound.at_most);
            check_both(DistanceType::float64, false, 1e6);
            check_both(DistanceType::int32, false, 1e6);
            for (const double most : {1e6, 1e12}) check_both(DistanceType::int32, true, most);
        }
    }
}

/// Parents of engines that find distances only; weights of 0, and floats that were rounded along
/// paths and in another order.
TEST(AllPairs, TracedParents)
{
    const ThreadGuard threads(2);
    const auto checks_parents = [](algo::RowProducer& producer, std::int64_t vertices) {
        const Matrix matrix = rows_of(producer, all_vertices(vertices), vertices);
        return std::ranges::count(matrix.parents, std::int64_t{algo::kNoParent}) ==
               std::ranges::count(matrix.distances, std::numeric_limits<double>::infinity());
    };
    for (const std::int64_t n : {1, 2, 33, 130}) {
        for (const auto& [name, graph] :
             families<std::uint32_t>(n, [](std::uint64_t i) { return static_cast<std::int64_t>(i * 7919 % 4); })) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
            const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
            for (const DistanceType type : {DistanceType::uint16, DistanceType::int32, DistanceType::float64}) {
                const Producer traced = cpu::with_traced_parents(
                    constructed, algo::make_matrix_rows(combined_rows(constructed, type, 1000, 16), nullptr),
                    cpu::Sums::along_paths);
                EXPECT_TRUE(checks_parents(*traced, n));
                check<std::uint32_t>(traced, graph, expected);
            }
            const Producer traced = cpu::with_traced_parents(
                constructed, elimination_rows(constructed, DistanceType::int32), cpu::Sums::along_paths);
            EXPECT_TRUE(checks_parents(*traced, n));
            check<std::uint32_t>(traced, graph, expected);
        }
        for (const auto& [name, graph] :
             families<float>(n, [](std::uint64_t i) { return static_cast<float>(i * 7919 % 1009) / 1009.0F; })) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<float>(graph, true);
            const std::vector<double> expected = oracle_matrix<float>(graph);
            const Producer along_paths = cpu::with_traced_parents(
                constructed, cpu::make_dijkstra_rows(constructed, {.type = DistanceType::float32}),
                cpu::Sums::along_paths);
            EXPECT_TRUE(checks_parents(*along_paths, n));
            check<float>(along_paths, graph, expected);
            const Producer otherwise = cpu::with_traced_parents(
                constructed,
                algo::make_matrix_rows(
                    cpu::make_floyd_warshall(constructed,
                                             {.type = DistanceType::float32, .most_distance = 0, .tile = 64}),
                    nullptr),
                cpu::Sums::otherwise);
            EXPECT_TRUE(checks_parents(*otherwise, n));
            check<float>(otherwise, graph, expected, kInAnyOrder<float>);
        }
    }
}

/// Arcs that no shortest path uses may have weights that the type of the distances does not hold.
TEST(AllPairs, HeavyArcs)
{
    // The longest path is as long as the types allow that Floyd-Warshall computes with.
    for (const std::int64_t arc : {8191, 16383})
        for (const std::int64_t heavy :
             {std::int64_t{32766}, std::int64_t{32767}, std::int64_t{65534}, std::int64_t{65535}, std::int64_t{65540},
              (std::int64_t{1} << 31) - 1, (std::int64_t{1} << 31) + 1, (std::int64_t{1} << 32) - 1}) {
            SCOPED_TRACE(testing::Message() << arc << " and " << heavy);
            const auto longest = static_cast<double>(4 * arc);
            Graph<std::uint32_t> graph{5, true, {}};
            for (std::int64_t v = 0; v < 4; ++v) graph.edges.push_back({v, v + 1, arc});
            graph.edges.push_back({3, 0, 0});
            for (std::int64_t v = 2; v < 5; ++v) graph.edges.push_back({0, v, heavy});
            graph.edges.push_back({1, 4, heavy});
            const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
            const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
            for (const DistanceType type : {DistanceType::uint16, DistanceType::int32, DistanceType::float64}) {
                check<std::uint32_t>(algo::make_matrix_rows(combined_rows(constructed, type, longest, 16), nullptr),
                                     graph, expected);
                check<std::uint32_t>(elimination_rows(constructed, type), graph, expected);
                for (const bool parents : {false, true}) {
                    for (const auto make_rows : {cpu::make_dijkstra_rows, cpu::make_delta_stepping_rows})
                        check<std::uint32_t>(
                            make_rows(constructed, {.type = type, .parents = parents, .most_distance = longest}), graph,
                            expected);
                    check<std::uint32_t>(cpu::make_push_pull_rows(constructed, {.type = type, .parents = parents}),
                                         graph, expected);
                    check<std::uint32_t>(
                        algo::make_matrix_rows(
                            cpu::make_floyd_warshall(
                                constructed, {.type = type, .parents = parents, .most_distance = longest, .tile = 32}),
                            nullptr),
                        graph, expected);
                }
            }
        }
}

TEST(AllPairs, AThousandVertices)
{
    const ThreadGuard threads(2);
    const auto weight = [](std::uint64_t i) { return static_cast<std::int64_t>(i * 7919 % 100); };
    const auto all = families<std::uint32_t>(1000, weight);
    const Graph<std::uint32_t>& graph = all.front().second;
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
    const double most = cpu::bound_distances(constructed).at_most;
    check<std::uint32_t>(elimination_rows(constructed, DistanceType::uint16), graph, expected);
    const std::vector<Vertex> sources = all_vertices(1000);
    expect_summary(summary_of(*elimination_rows(constructed, DistanceType::uint16, false), sources, true), expected,
                   sources.size(), 0);
    for (const bool parents : {false, true}) {  // in tiles of the usual size
        for (const auto make_rows : {cpu::make_dijkstra_rows, cpu::make_delta_stepping_rows})
            check<std::uint32_t>(
                make_rows(constructed, {.type = DistanceType::uint16, .parents = parents, .most_distance = most}),
                graph, expected);
        check<std::uint32_t>(cpu::make_push_pull_rows(constructed, {.type = DistanceType::uint16, .parents = parents}),
                             graph, expected);
        check<std::uint32_t>(algo::make_matrix_rows(cpu::make_floyd_warshall(constructed, {.type = DistanceType::uint16,
                                                                                           .parents = parents,
                                                                                           .most_distance = most}),
                                                    nullptr),
                             graph, expected);
    }
}

TEST(AllPairs, FloatWeights)
{
    for (const std::int64_t n : {2, 33, 150}) {
        const auto weight = [](std::uint64_t i) { return static_cast<float>(i * 7919 % 1009) / 1009.0F; };
        for (const auto& [name, graph] : families<float>(n, weight)) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<float>(graph, true);
            const std::vector<double> expected = oracle_matrix<float>(graph);
            for (const bool parents : {false, true}) {
                for (const auto make_rows : {cpu::make_dijkstra_rows, cpu::make_delta_stepping_rows})
                    check<float>(make_rows(constructed, {.type = DistanceType::float32, .parents = parents}), graph,
                                 expected);
                check<float>(cpu::make_push_pull_rows(constructed, {.type = DistanceType::float32, .parents = parents}),
                             graph, expected);
                check<float>(
                    algo::make_matrix_rows(
                        cpu::make_floyd_warshall(
                            constructed,
                            {.type = DistanceType::float32, .parents = parents, .most_distance = 0, .tile = 64}),
                        nullptr),
                    graph, expected, kInAnyOrder<float>);
            }
        }
    }
}

TEST(AllPairs, Unweighted)
{
    for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 1000}) {
        const ThreadGuard threads(n > 33 ? 2 : 1);
        for (const auto& [name, graph] : families<std::uint32_t>(n, [](std::uint64_t) { return std::int64_t{1}; })) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, false);
            const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
            for (const std::size_t sources : {64U, 256U, 512U}) {
                if (n == 1000 && sources == 256) continue;
                SCOPED_TRACE(testing::Message() << sources << " sources");
                check<std::uint32_t>(cpu::make_bit_parallel_rows(
                                         constructed, {.type = DistanceType::uint16, .sources_a_thread = sources}),
                                     graph, expected, {}, false);
            }
        }
    }
}

TEST(AllPairs, LargeDistancesDoNotWrapAround)
{
    Graph<std::uint32_t> graph{4, true, {{0, 1, 2'000'000'000}, {1, 2, 2'000'000'000}, {2, 3, 2'000'000'000}}};
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    const cpu::DistanceBound bound = cpu::bound_distances(constructed);
    EXPECT_EQ(bound.at_most, 6e9);
    EXPECT_GE(bound.at_least, 2e9);
    const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
    const auto dijkstra = [&](DistanceType type) {
        return cpu::make_dijkstra_rows(constructed, {.type = type, .parents = false, .most_distance = bound.at_most});
    };
    const auto delta_stepping = [&](DistanceType type) {
        return cpu::make_delta_stepping_rows(constructed, {.type = type, .most_distance = bound.at_most});
    };
    const auto push_pull = [&](DistanceType type) { return cpu::make_push_pull_rows(constructed, {.type = type}); };
    const auto matrix = [&](DistanceType type) {
        return algo::make_matrix_rows(
            cpu::make_floyd_warshall(constructed, {.type = type, .parents = false, .most_distance = bound.at_most}),
            nullptr);
    };
    check<std::uint32_t>(dijkstra(DistanceType::float64), graph, expected);
    check<std::uint32_t>(delta_stepping(DistanceType::float64), graph, expected);
    check<std::uint32_t>(push_pull(DistanceType::float64), graph, expected);
    check<std::uint32_t>(matrix(DistanceType::float64), graph, expected);
    for (const DistanceType type : {DistanceType::uint16, DistanceType::int32}) {
        EXPECT_THROW((void)rows_of(*push_pull(type), all_vertices(4), 4), InputError);
        EXPECT_THROW((void)rows_of(*dijkstra(type), all_vertices(4), 4), InputError);
        EXPECT_THROW((void)rows_of(*delta_stepping(type), all_vertices(4), 4), InputError);
        EXPECT_THROW((void)rows_of(*matrix(type), all_vertices(4), 4), InputError);
    }
}

/// A directed graph of cycles, in which edges between cycles lead on.
TEST(AllPairs, BoundsOfGraphsThatAreNotStronglyConnected)
{
    // A cycle of four, an edge of weight 10, a path of two edges, and a cycle of three.
    Graph<std::uint32_t> graph{10,
                               true,
                               {{0, 1, 1},
                                {1, 2, 1},
                                {2, 3, 1},
                                {3, 0, 1},
                                {3, 4, 10},
                                {4, 5, 2},
                                {5, 6, 2},
                                {6, 7, 5},
                                {7, 8, 5},
                                {8, 6, 5}}};
    const double bound = cpu::bound_distances(construct_alone<std::uint32_t>(graph, true)).at_most;
    EXPECT_GE(bound, 3 + 10 + 2 + 2 + 10);
    EXPECT_LE(bound, 2 * 3 + 10 + 2 + 2 + 2 * 10);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Graph<std::uint32_t> random = random_weighted_graph<std::uint32_t>(60, 70 + 2 * seed, true, 0, 50, seed);
        const double most = cpu::bound_distances(construct_alone<std::uint32_t>(random, true)).at_most;
        for (const double distance : oracle_matrix<std::uint32_t>(random))
            ASSERT_TRUE(std::isinf(distance) || distance <= most) << seed;
    }
}

TEST(AllPairs, BoundsOfFloats)
{
    for (const bool directed : {true, false})
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            Graph<float> random = random_weighted_graph<float>(60, 70 + 2 * seed, directed, 0, 50, seed);
            for (auto& edge : random.edges) edge.weight /= 7;
            const DistributedGraph graph = construct_alone<float>(random, true);
            const double most = cpu::most_float_distance(graph);
            const double least = cpu::least_positive_weight(graph);
            double farthest = 0;
            for (const double distance : oracle_matrix<float>(random)) {
                if (std::isinf(distance)) continue;
                ASSERT_LE(distance, most) << seed;
                ASSERT_TRUE(distance == 0 || distance >= least) << seed;
                farthest = std::max(farthest, distance);
            }
            if (!directed) {
                EXPECT_LE(most, 2 * farthest * (1 + 1e-5)) << seed;
            }
        }
    const Graph<float> path{3, true, {{0, 1, 0.25F}, {1, 2, 0.5F}}};
    const DistributedGraph graph = construct_alone<float>(path, true);
    EXPECT_GE(cpu::most_float_distance(graph), 0.75);
    EXPECT_LE(cpu::most_float_distance(graph), 0.75 * (1 + 1e-5));
    EXPECT_EQ(cpu::least_positive_weight(graph), 0.25);
    const Graph<float> zeros{2, true, {{0, 1, 0}}};
    EXPECT_TRUE(std::isinf(cpu::least_positive_weight(construct_alone<float>(zeros, true))));
}

TEST(AllPairs, BoundsOfWeightsOf64Bits)
{
    constexpr std::int64_t weight = std::int64_t{1} << 42;
    Graph<std::int64_t> star{5000, true, {}};
    for (std::int64_t v = 1; v < star.vertices; ++v) {
        star.edges.push_back({0, v, weight});
        star.edges.push_back({v, 0, weight});
    }
    const cpu::DistanceBound bound = cpu::bound_distances(construct_alone<std::int64_t>(star, true));
    EXPECT_EQ(bound.at_most, 2.0 * weight);
    EXPECT_GE(bound.at_least, static_cast<double>(weight));
    star.edges[0].weight = -1;
    EXPECT_EQ(cpu::bound_distances(construct_alone<std::int64_t>(star, true)).at_least, 0);
    // The sum of two of these weights exceeds 64 bits.
    const Graph<std::int64_t> large{
        4, true, {{0, 1, INT64_MAX}, {1, 2, INT64_MAX}, {2, 3, INT64_MAX}, {3, 0, INT64_MAX}}};
    EXPECT_GT(cpu::bound_distances(construct_alone<std::int64_t>(large, true)).at_most, 1.8e19);
}

TEST(AllPairs, SourcesInAnyOrder)
{
    const Graph<std::uint32_t> graph = random_weighted_graph<std::uint32_t>(70, 300, false, 0, 9, 5);
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
    const std::vector<Vertex> sources{69, 3, 4, 5, 0, 3};
    for (const bool dense : {false, true}) {
        const Producer producer =
            dense ? algo::make_matrix_rows(
                        cpu::make_floyd_warshall(constructed,
                                                 {.type = DistanceType::int32, .parents = true, .most_distance = 1e6}),
                        nullptr)
                  : cpu::make_dijkstra_rows(constructed,
                                            {.type = DistanceType::int32, .parents = true, .most_distance = 1e6});
        const Matrix matrix = rows_of(*producer, sources, 70);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto row = static_cast<std::size_t>(sources[i]) * 70;
            EXPECT_TRUE(std::equal(expected.begin() + static_cast<std::ptrdiff_t>(row),
                                   expected.begin() + static_cast<std::ptrdiff_t>(row + 70),
                                   matrix.distances.begin() + static_cast<std::ptrdiff_t>(i * 70)));
            const auto parents = matrix.parents.begin() + static_cast<std::ptrdiff_t>(i * 70);
            EXPECT_EQ(
                oracle::parents_fault(graph, sources[i], oracle::dijkstra(graph, sources[i]), {parents, parents + 70}),
                "");
        }
    }
}

}  // namespace
}  // namespace wayfront::all_pairs
