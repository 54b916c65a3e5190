// All engines of all pairs on the cores: against Dijkstra's algorithm per source (oracle/dijkstra.hpp)
// and against Boost.Graph's Floyd-Warshall, which share no code with them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <gtest/gtest.h>

#include "algo/apsp/row_loop.hpp"
#include "algo/apsp/row_validator.hpp"
#include "base/error.hpp"
#include "cpu/apsp/bit_parallel.hpp"
#include "cpu/apsp/combined_rows.hpp"
#include "cpu/apsp/dijkstra_rows.hpp"
#include "cpu/apsp/distance_bound.hpp"
#include "cpu/apsp/elimination_rows.hpp"
#include "cpu/apsp/floyd_warshall.hpp"
#include "cpu/apsp/traced_parents.hpp"
#include "oracle/dijkstra.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront {
namespace {

using algo::DistanceType;
using Producer = std::unique_ptr<algo::RowProducer>;

template <typename W>
using Graph = oracle::WeightedGraph<OracleWeight<W>>;

struct Matrix
{
    std::vector<double> distances;
    std::vector<std::int64_t> parents;
};

/// Keeps all rows as doubles.
class Keeper final : public algo::RowConsumer
{
public:
    Keeper(std::size_t rows, std::size_t columns)
        : columns_(columns), matrix_{std::vector<double>(rows * columns, -1), std::vector<std::int64_t>(rows * columns, -2)}
    {
    }
    void take(const algo::RowBatch& batch) override
    {
        std::visit(
            [&]<typename T>(std::span<const T> rows) {
                for (std::size_t i = 0; i < rows.size(); ++i)
                    matrix_.distances[batch.first * columns_ + i] =
                        rows[i] == unreached<T>() ? std::numeric_limits<double>::infinity() : static_cast<double>(rows[i]);
            },
            batch.distances);
        std::ranges::copy(batch.parents, matrix_.parents.begin() + static_cast<std::ptrdiff_t>(batch.first * columns_));
    }

    [[nodiscard]] const Matrix& matrix() const { return matrix_; }

private:
    std::size_t columns_;
    Matrix matrix_;
};

std::vector<Vertex> all_vertices(std::int64_t count)
{
    std::vector<Vertex> vertices(static_cast<std::size_t>(count));
    std::iota(vertices.begin(), vertices.end(), Vertex{0});
    return vertices;
}

Matrix rows_of(algo::RowProducer& producer, const std::vector<Vertex>& sources, std::int64_t vertices, algo::Summary* summary = nullptr)
{
    Keeper keeper(sources.size(), static_cast<std::size_t>(vertices));
    algo::RowLoop loop(producer, sources, algo::joined_ranges({{0, sources.size()}}), {&keeper}, summary);
    while (!loop.done()) loop.make_batch();
    return keeper.matrix();
}

algo::Summary summary_of(algo::RowProducer& producer, const std::vector<Vertex>& sources, bool whole)
{
    algo::Summary summary(sources.size(), whole);
    algo::RowLoop loop(producer, sources, algo::joined_ranges({{0, sources.size()}}), {}, &summary);
    while (!loop.done()) loop.make_batch();
    return summary;
}

template <typename W>
DistributedGraph construct_alone(const Graph<W>& graph, bool weighted)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    if (weighted) return construct(grid, ShareFeed<W>(graph, 0, 1));
    EdgeList list;
    list.vertex_count = graph.vertices;
    list.directed = graph.directed;
    list.edges = HostBuffer<PackedEdge>(graph.edges.size());
    for (std::size_t i = 0; i < graph.edges.size(); ++i) list.edges[i] = PackedEdge::pack(graph.edges[i].source, graph.edges[i].target);
    return construct(grid, ListFeed(list));
}

template <typename W>
std::vector<double> oracle_matrix(const Graph<W>& graph)
{
    std::vector<double> matrix;
    for (std::int64_t source = 0; source < graph.vertices; ++source)
        for (const auto distance : oracle::dijkstra(graph, source))
            matrix.push_back(distance == oracle::infinity<OracleWeight<W>>() ? std::numeric_limits<double>::infinity()
                                                                             : static_cast<double>(distance));
    return matrix;
}

/// Boost's Floyd-Warshall. Parallel edges: the smallest weight counts.
template <typename W>
std::vector<double> boost_matrix(const Graph<W>& graph)
{
    using BoostGraph =
        boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, boost::property<boost::edge_weight_t, double>>;
    const auto n = static_cast<std::size_t>(graph.vertices);
    BoostGraph boost(n);
    graph.for_each_arc([&](std::int64_t u, std::int64_t v, auto weight) {
        if (u != v) boost::add_edge(static_cast<std::size_t>(u), static_cast<std::size_t>(v), static_cast<double>(weight), boost);
    });
    std::vector<std::vector<double>> rows(n, std::vector<double>(n));
    boost::floyd_warshall_all_pairs_shortest_paths(boost, rows, boost::distance_inf(std::numeric_limits<double>::infinity()).distance_zero(0.0));
    std::vector<double> matrix;
    for (const std::vector<double>& row : rows) matrix.insert(matrix.end(), row.begin(), row.end());
    return matrix;
}

/// The graphs of the tests, of n vertices, with weights from `weight(number of the edge)`.
template <typename W, typename Weight>
std::vector<std::pair<std::string, Graph<W>>> families(std::int64_t n, Weight&& weight)
{
    std::vector<std::pair<std::string, Graph<W>>> all;
    std::uint64_t number = 0;
    const auto add = [&](const std::string& name, bool directed, auto&& for_each_edge) {
        Graph<W> graph{n, directed, {}};
        for_each_edge([&](std::int64_t u, std::int64_t v) { graph.edges.push_back({u, v, weight(number++)}); });
        all.emplace_back(name, std::move(graph));
    };
    RandomNumbers random(7);
    const auto draw = [&] { return static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(n)); };
    add("random", true, [&](auto&& edge) {
        for (std::int64_t i = 0; i < 4 * n; ++i) edge(draw(), draw());
    });
    add("rmat", false, [&](auto&& edge) {  // a busy corner
        for (std::int64_t i = 0; i < 3 * n; ++i) edge(std::min(draw(), draw()) / 2, std::min(draw(), draw()));
    });
    add("ring", false, [&](auto&& edge) {
        for (std::int64_t i = 0; i < n; ++i) edge(i, (i + 1) % n);
    });
    add("star", false, [&](auto&& edge) {
        for (std::int64_t i = 1; i < n; ++i) edge(0, i);
    });
    add("disconnected", false, [&](auto&& edge) {
        for (std::int64_t i = 0; i + 3 < n; i += 3) edge(i, i + 1), edge(i + 1, i + 2);
    });
    if (n <= 64) {
        add("complete", false, [&](auto&& edge) {
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < i; ++j) edge(i, j);
        });
    }
    return all;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double roundings)
{
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] == expected[i]) continue;
        ASSERT_LE(std::abs(found[i] - expected[i]), roundings * std::abs(expected[i])) << "at " << i;
    }
}

/// The summary of a matrix, computed plainly.
void expect_summary(const algo::Summary& summary, const std::vector<double>& matrix, std::size_t n, bool exact)
{
    std::uint64_t pairs = 0;
    for (std::size_t source = 0; source < n; ++source) {
        algo::RowFacts facts;
        for (std::size_t v = 0; v < n; ++v) {
            const double distance = matrix[source * n + v];
            if (v == source || std::isinf(distance)) continue;
            ++facts.reached;
            facts.sum += distance;
            facts.eccentricity = std::max(facts.eccentricity, distance);
        }
        pairs += facts.reached;
        const algo::RowFacts& found = summary.rows()[source];
        EXPECT_EQ(found.reached, facts.reached) << source;
        const double slack = exact ? 0 : 1e-4;
        EXPECT_NEAR(found.sum, facts.sum, slack * facts.sum) << source;
        EXPECT_NEAR(found.eccentricity, facts.eccentricity, slack * facts.eccentricity) << source;
    }
    std::uint64_t counted = 0;
    for (const std::uint64_t count : summary.histogram().counts()) counted += count;
    EXPECT_EQ(counted, pairs);
}

template <typename W>
EdgeList edge_list(const Graph<W>& graph, bool weighted)
{
    EdgeList list;
    list.vertex_count = graph.vertices;
    list.directed = graph.directed;
    list.edges = HostBuffer<PackedEdge>(graph.edges.size());
    for (std::size_t i = 0; i < graph.edges.size(); ++i) list.edges[i] = PackedEdge::pack(graph.edges[i].source, graph.edges[i].target);
    const auto with_weights = [&]<typename ListWeight>(ListWeight) {
        HostBuffer<ListWeight> weights(graph.edges.size());
        for (std::size_t i = 0; i < graph.edges.size(); ++i) weights[i] = static_cast<ListWeight>(graph.edges[i].weight);
        list.weights = std::move(weights);
    };
    if (!weighted) return list;
    if constexpr (std::is_floating_point_v<W>) {
        with_weights(float{});
    } else {
        const auto narrow = [](const auto& edge) { return edge.weight <= std::numeric_limits<std::int32_t>::max(); };
        if (std::ranges::all_of(graph.edges, narrow))
            with_weights(std::int32_t{});
        else
            with_weights(std::int64_t{});
    }
    return list;
}

/// Compares what a producer makes with the matrix, and its summaries and validation.
template <typename W>
void check(const Producer& producer, const Graph<W>& graph, const std::vector<double>& expected, double roundings, bool weighted = true)
{
    const std::vector<Vertex> sources = all_vertices(graph.vertices);
    const bool whole = std::is_integral_v<W>;
    algo::Summary beside(sources.size(), whole);
    const Matrix matrix = rows_of(*producer, sources, graph.vertices, &beside);
    expect_near(matrix.distances, expected, roundings);
    expect_summary(beside, expected, sources.size(), roundings == 0);
    expect_summary(summary_of(*producer, sources, whole), expected, sources.size(), roundings == 0);
    algo::RowValidator validator(edge_list<W>(graph, weighted), 0, roundings == 0 ? 0 : static_cast<double>(graph.vertices));
    algo::RowLoop loop(*producer, sources, algo::joined_ranges({{0, sources.size()}}), {&validator}, nullptr);
    while (!loop.done()) loop.make_batch();
    EXPECT_EQ(validator.checked_rows(), sources.size());
}

std::unique_ptr<algo::MatrixMethod> combined_rows(const DistributedGraph& graph, DistanceType type, double most_distance, std::uint32_t most_arcs)
{
    return cpu::make_combined_rows(graph, cpu::make_dijkstra_rows(graph, {.type = type, .most_distance = most_distance, .batch_bytes = 4096}),
                                   {.most_arcs = most_arcs});
}

/// Without limits: any graph will do.
Producer elimination_rows(const DistributedGraph& graph, DistanceType type, bool rows = true)
{
    auto tree = std::make_shared<const algo::Elimination>(algo::eliminate(graph, {.pairs_a_vertex = 1e9, .height = 1 << 20}).value());
    return cpu::make_elimination_rows(std::move(tree), {.type = type, .rows = rows, .batch_bytes = 4096});
}

class AllPairsTest : public testing::Test
{
};

TEST_F(AllPairsTest, WholeWeights)
{
    for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 130}) {
        const ThreadGuard threads(n > 33 ? 2 : 1);
        for (const auto& [name, graph] : families<std::uint32_t>(n, [](std::uint64_t i) { return static_cast<std::int64_t>(i * 7919 % 10); })) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
            const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
            EXPECT_EQ(boost_matrix<std::uint32_t>(graph), expected);
            const cpu::DistanceBound bound = cpu::bound_distances(constructed);
            EXPECT_TRUE(std::ranges::all_of(expected, [&](double distance) { return std::isinf(distance) || distance <= bound.at_most; }));
            EXPECT_TRUE(std::ranges::any_of(expected, [&](double distance) { return distance == bound.at_least; }));
            const auto& checked = graph;  // OpenMP captures no structured bindings
            const auto check_both = [&](DistanceType type, bool parents, double most) {
                SCOPED_TRACE(testing::Message() << algo::name_of(type) << (parents ? " with parents" : "") << ", bound " << most);
                check<std::uint32_t>(
                    cpu::make_dijkstra_rows(constructed, {.type = type, .parents = parents, .most_distance = most, .batch_bytes = 4096}), checked,
                    expected, 0);
                check<std::uint32_t>(
                    algo::make_matrix_rows(
                        cpu::make_floyd_warshall(constructed, {.type = type, .parents = parents, .most_distance = most, .tile = 32}), nullptr),
                    checked, expected, 0);
                if (parents) return;
                check<std::uint32_t>(elimination_rows(constructed, type), checked, expected, 0);
                for (const std::uint32_t most_arcs : {0U, 2U, 16U})
                    check<std::uint32_t>(algo::make_matrix_rows(combined_rows(constructed, type, most, most_arcs), nullptr), checked, expected, 0);
            };
            // The bound also chooses the type of the computation.
            check_both(DistanceType::uint16, false, bound.at_most);
            check_both(DistanceType::float64, false, 1e6);
            check_both(DistanceType::int32, false, 1e6);
            for (const double most : {1e6, 1e12}) check_both(DistanceType::int32, true, most);
        }
    }
}

/// Parents of engines that find distances only; weights of 0, and floats that were rounded along paths and in another order.
TEST_F(AllPairsTest, TracedParents)
{
    const ThreadGuard threads(2);
    const auto checks_parents = [](algo::RowProducer& producer, std::int64_t vertices) {
        const Matrix matrix = rows_of(producer, all_vertices(vertices), vertices);
        return std::ranges::count(matrix.parents, std::int64_t{algo::kNoParent}) ==
               std::ranges::count(matrix.distances, std::numeric_limits<double>::infinity());
    };
    for (const std::int64_t n : {1, 2, 33, 130}) {
        for (const auto& [name, graph] : families<std::uint32_t>(n, [](std::uint64_t i) { return static_cast<std::int64_t>(i * 7919 % 4); })) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
            const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
            for (const DistanceType type : {DistanceType::uint16, DistanceType::int32, DistanceType::float64}) {
                const Producer traced =
                    cpu::with_traced_parents(constructed, algo::make_matrix_rows(combined_rows(constructed, type, 1000, 16), nullptr), 0);
                EXPECT_TRUE(checks_parents(*traced, n));
                check<std::uint32_t>(traced, graph, expected, 0);
            }
            const Producer traced = cpu::with_traced_parents(constructed, elimination_rows(constructed, DistanceType::int32), 0);
            EXPECT_TRUE(checks_parents(*traced, n));
            check<std::uint32_t>(traced, graph, expected, 0);
        }
        for (const auto& [name, graph] : families<float>(n, [](std::uint64_t i) { return static_cast<float>(i * 7919 % 1009) / 1009.0F; })) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<float>(graph, true);
            const std::vector<double> expected = oracle_matrix<float>(graph);
            const Producer along_paths =
                cpu::with_traced_parents(constructed, cpu::make_dijkstra_rows(constructed, {.type = DistanceType::float32}), 0);
            EXPECT_TRUE(checks_parents(*along_paths, n));
            check<float>(along_paths, graph, expected, 0);
            const Producer otherwise = cpu::with_traced_parents(
                constructed,
                algo::make_matrix_rows(cpu::make_floyd_warshall(constructed, {.type = DistanceType::float32, .most_distance = 0, .tile = 64}),
                                       nullptr),
                static_cast<double>(n));
            EXPECT_TRUE(checks_parents(*otherwise, n));
            check<float>(otherwise, graph, expected, 1e-5);
        }
    }
}

/// Arcs that no shortest path uses may have weights that the type of the distances does not hold.
TEST_F(AllPairsTest, HeavyArcs)
{
    for (const std::int64_t heavy : {std::int64_t{65534}, std::int64_t{65535}, std::int64_t{65540}, (std::int64_t{1} << 31) - 1,
                                     (std::int64_t{1} << 31) + 1, (std::int64_t{1} << 32) - 1}) {
        SCOPED_TRACE(heavy);
        Graph<std::uint32_t> graph{5, true, {}};
        for (std::int64_t v = 0; v < 4; ++v) graph.edges.push_back({v, v + 1, 16383});
        graph.edges.push_back({3, 0, 0});
        for (std::int64_t v = 2; v < 5; ++v) graph.edges.push_back({0, v, heavy});
        graph.edges.push_back({1, 4, heavy});
        const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
        const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
        for (const DistanceType type : {DistanceType::uint16, DistanceType::int32, DistanceType::float64}) {
            check<std::uint32_t>(algo::make_matrix_rows(combined_rows(constructed, type, 65532, 16), nullptr), graph, expected, 0);
            check<std::uint32_t>(elimination_rows(constructed, type), graph, expected, 0);
            for (const bool parents : {false, true}) {
                check<std::uint32_t>(cpu::make_dijkstra_rows(constructed, {.type = type, .parents = parents, .most_distance = 65532}), graph,
                                     expected, 0);
                check<std::uint32_t>(
                    algo::make_matrix_rows(
                        cpu::make_floyd_warshall(constructed, {.type = type, .parents = parents, .most_distance = 65532, .tile = 32}), nullptr),
                    graph, expected, 0);
            }
        }
    }
}

TEST_F(AllPairsTest, EliminationWithoutWeights)
{
    for (const auto& [name, graph] : families<std::uint32_t>(130, [](std::uint64_t) { return std::int64_t{1}; })) {
        SCOPED_TRACE(name);
        const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, false);
        check<std::uint32_t>(elimination_rows(constructed, DistanceType::uint16), graph, oracle_matrix<std::uint32_t>(graph), 0, false);
    }
}

/// Bins as wide as those of distances from 2^30 on, and vertices that are not reached.
TEST_F(AllPairsTest, EliminationOfLargeDistances)
{
    Graph<std::uint32_t> graph{6, false, {{0, 1, 1100000000}, {2, 3, 7}, {3, 4, 900}}};
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    check<std::uint32_t>(elimination_rows(constructed, DistanceType::int32), graph, oracle_matrix<std::uint32_t>(graph), 0);
}

TEST_F(AllPairsTest, EliminationFindsDistancesThatDoNotFit)
{
    Graph<std::uint32_t> graph{3, true, {{0, 1, 65000}, {1, 2, 600}}};
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    const Producer rows = elimination_rows(constructed, DistanceType::uint16);
    const std::vector<Vertex> sources = all_vertices(3);
    rows->launch(sources);
    EXPECT_THROW(static_cast<void>(rows->collect()), InputError);
}

TEST_F(AllPairsTest, AThousandVertices)
{
    const ThreadGuard threads(2);
    const auto weight = [](std::uint64_t i) { return static_cast<std::int64_t>(i * 7919 % 100); };
    const auto all = families<std::uint32_t>(1000, weight);
    const Graph<std::uint32_t>& graph = all.front().second;
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
    const double most = cpu::bound_distances(constructed).at_most;
    check<std::uint32_t>(elimination_rows(constructed, DistanceType::uint16), graph, expected, 0);
    const std::vector<Vertex> sources = all_vertices(1000);
    expect_summary(summary_of(*elimination_rows(constructed, DistanceType::uint16, false), sources, true), expected, sources.size(), true);
    for (const bool parents : {false, true}) {  // in tiles of the usual size
        check<std::uint32_t>(cpu::make_dijkstra_rows(constructed, {.type = DistanceType::uint16, .parents = parents, .most_distance = most}), graph,
                             expected, 0);
        check<std::uint32_t>(
            algo::make_matrix_rows(cpu::make_floyd_warshall(constructed, {.type = DistanceType::uint16, .parents = parents, .most_distance = most}),
                                   nullptr),
            graph, expected, 0);
    }
}

TEST_F(AllPairsTest, FloatWeights)
{
    for (const std::int64_t n : {2, 33, 150}) {
        const auto weight = [](std::uint64_t i) { return static_cast<float>(i * 7919 % 1009) / 1009.0F; };
        for (const auto& [name, graph] : families<float>(n, weight)) {
            SCOPED_TRACE(testing::Message() << name << " " << n);
            const DistributedGraph constructed = construct_alone<float>(graph, true);
            const std::vector<double> expected = oracle_matrix<float>(graph);
            for (const bool parents : {false, true}) {
                check<float>(cpu::make_dijkstra_rows(constructed, {.type = DistanceType::float32, .parents = parents}), graph, expected, 0);
                check<float>(
                    algo::make_matrix_rows(
                        cpu::make_floyd_warshall(constructed, {.type = DistanceType::float32, .parents = parents, .most_distance = 0, .tile = 64}),
                        nullptr),
                    graph, expected, 1e-5);
            }
        }
    }
}

TEST_F(AllPairsTest, Unweighted)
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
                check<std::uint32_t>(cpu::make_bit_parallel_rows(constructed, {.type = DistanceType::uint16, .sources_a_thread = sources}), graph,
                                     expected, 0, false);
            }
        }
    }
}

TEST_F(AllPairsTest, NegativeWeights)
{
    // Potentials make weights negative, and no cycle: w'(u, v) = w(u, v) + p(u) - p(v).
    const std::int64_t n = 90;
    const auto potential = [](std::int64_t v) { return v * 7919 % 50; };
    Graph<std::int64_t> graph = random_weighted_graph<std::int64_t>(n, 400, true, 0, 20, 3);
    std::erase_if(graph.edges, [](const auto& edge) { return edge.source == edge.target; });
    const Graph<std::int64_t> before = graph;
    for (auto& edge : graph.edges) edge.weight += potential(edge.source) - potential(edge.target);
    std::vector<double> expected = oracle_matrix<std::int64_t>(before);
    for (std::int64_t u = 0; u < n; ++u)
        for (std::int64_t v = 0; v < n; ++v) expected[static_cast<std::size_t>(u * n + v)] += static_cast<double>(potential(u) - potential(v));
    const DistributedGraph constructed = construct_alone<std::int64_t>(graph, true);
    for (const double most : {cpu::bound_distances(constructed).at_most, 1e12}) {
        for (const bool parents : {false, true}) {
            const Producer producer = algo::make_matrix_rows(
                cpu::make_floyd_warshall(constructed, {.type = DistanceType::int32, .parents = parents, .most_distance = most, .tile = 32}), nullptr);
            EXPECT_EQ(rows_of(*producer, all_vertices(n), n).distances, expected);
        }
    }
}

TEST_F(AllPairsTest, LargeDistancesDoNotWrapAround)
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
    const auto matrix = [&](DistanceType type) {
        return algo::make_matrix_rows(cpu::make_floyd_warshall(constructed, {.type = type, .parents = false, .most_distance = bound.at_most}),
                                      nullptr);
    };
    check<std::uint32_t>(dijkstra(DistanceType::float64), graph, expected, 0);
    check<std::uint32_t>(matrix(DistanceType::float64), graph, expected, 0);
    for (const DistanceType type : {DistanceType::uint16, DistanceType::int32}) {
        EXPECT_THROW((void)rows_of(*dijkstra(type), all_vertices(4), 4), InputError);
        EXPECT_THROW((void)rows_of(*matrix(type), all_vertices(4), 4), InputError);
    }
}

TEST_F(AllPairsTest, SourcesInAnyOrder)
{
    const Graph<std::uint32_t> graph = random_weighted_graph<std::uint32_t>(70, 300, false, 0, 9, 5);
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph, true);
    const std::vector<double> expected = oracle_matrix<std::uint32_t>(graph);
    const std::vector<Vertex> sources{69, 3, 4, 5, 0, 3};
    for (const bool dense : {false, true}) {
        const Producer producer =
            dense ? algo::make_matrix_rows(
                        cpu::make_floyd_warshall(constructed, {.type = DistanceType::int32, .parents = true, .most_distance = 1e6}), nullptr)
                  : cpu::make_dijkstra_rows(constructed, {.type = DistanceType::int32, .parents = true, .most_distance = 1e6});
        const Matrix matrix = rows_of(*producer, sources, 70);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto row = static_cast<std::size_t>(sources[i]) * 70;
            EXPECT_TRUE(std::equal(expected.begin() + static_cast<std::ptrdiff_t>(row), expected.begin() + static_cast<std::ptrdiff_t>(row + 70),
                                   matrix.distances.begin() + static_cast<std::ptrdiff_t>(i * 70)));
            const auto parents = matrix.parents.begin() + static_cast<std::ptrdiff_t>(i * 70);
            EXPECT_EQ(oracle::parents_fault(graph, sources[i], oracle::dijkstra(graph, sources[i]), {parents, parents + 70}), "");
        }
    }
}

TEST_F(AllPairsTest, ValidatorFindsWrongRows)
{
    const Graph<std::uint32_t> graph{4, true, {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}}};
    algo::RowValidator validator(edge_list<std::uint32_t>(graph, true), 0, 0);
    const std::vector<Vertex> source{0};
    constexpr std::int32_t far = unreached<std::int32_t>();
    const auto take = [&](const std::vector<std::int32_t>& row, const std::vector<std::int32_t>& parents) {
        algo::RowBatch batch;
        batch.sources = source;
        batch.columns = 4;
        batch.distances = std::span<const std::int32_t>(row);
        batch.parents = parents;
        validator.take(batch);
    };
    take({0, 2, 2, far}, {});
    take({0, 2, 2, far}, {0, 0, 1, -1});
    EXPECT_THROW(take({0, 3, 3, far}, {}), ResultError);             // too far
    EXPECT_THROW(take({0, 1, 1, far}, {}), ResultError);             // too near, in a cycle of length 0
    EXPECT_THROW(take({0, 2, 2, 5}, {}), ResultError);               // reached without a path
    EXPECT_THROW(take({0, 2, far, far}, {}), ResultError);           // not reached in spite of an edge
    EXPECT_THROW(take({1, 2, 2, far}, {}), ResultError);             // the source
    EXPECT_THROW(take({0, 2, 2, far}, {0, 2, 1, -1}), ResultError);  // parents in a cycle
    EXPECT_THROW(take({0, 2, 2, far}, {0, 0, 1, 0}), ResultError);   // a parent without a distance
    EXPECT_EQ(validator.checked_rows(), 2U);
}

}  // namespace
}  // namespace wayfront
