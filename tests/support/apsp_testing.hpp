// Shared by the tests of all pairs on the cores: graphs, the matrix by Dijkstra's algorithm per
// source (oracle/dijkstra.hpp), and the comparison of an engine's rows and summaries with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/roundings.hpp"
#include "algo/apsp/row_loop.hpp"
#include "algo/apsp/row_validator.hpp"
#include "cpu/apsp/arc_list_rows.hpp"
#include "cpu/apsp/combined_rows.hpp"
#include "cpu/apsp/elimination_rows.hpp"
#include "oracle/dijkstra.hpp"
#include "support/search_sources.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront::all_pairs {

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
        : columns_(columns),
          matrix_{std::vector<double>(rows * columns, -1), std::vector<std::int64_t>(rows * columns, -2)}
    {
    }
    void consume(const algo::RowBatch& batch) override
    {
        std::visit(
            [&]<typename T>(std::span<const T> rows) {
                for (std::size_t i = 0; i < rows.size(); ++i)
                    matrix_.distances[batch.first * columns_ + i] = rows[i] == unreached<T>()
                                                                        ? std::numeric_limits<double>::infinity()
                                                                        : static_cast<double>(rows[i]);
            },
            batch.distances);
        std::ranges::copy(batch.parents, matrix_.parents.begin() + static_cast<std::ptrdiff_t>(batch.first * columns_));
    }

    [[nodiscard]] const Matrix& matrix() const { return matrix_; }

private:
    std::size_t columns_;
    Matrix matrix_;
};

inline Matrix rows_of(algo::RowProducer& producer, const std::vector<Vertex>& sources, std::int64_t vertices,
                      algo::Summary* summary = nullptr)
{
    Keeper keeper(sources.size(), static_cast<std::size_t>(vertices));
    algo::RowLoop loop(producer, sources, algo::joined_ranges({{0, sources.size()}}), {&keeper}, summary);
    while (!loop.done()) loop.make_batch();
    return keeper.matrix();
}

inline algo::Summary summary_of(algo::RowProducer& producer, const std::vector<Vertex>& sources, bool whole,
                                algo::SummaryDetail detail = algo::SummaryDetail::brief)
{
    algo::Summary summary(sources.size(), whole, detail);
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
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        list.edges[i] = PackedEdge::pack(graph.edges[i].source, graph.edges[i].target);
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
    add("rmat", false, [&](auto&& edge) {  // a corner with many edges
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

/// The largest relative difference of two lengths of a path in a graph of n vertices, or of two sums
/// of n such lengths, if both were rounded in any order.
inline double largest_difference(std::size_t n, double unit_roundoff)
{
    return 2 * algo::growth_of_error(2 * static_cast<double>(n), unit_roundoff);
}

inline void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double difference)
{
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] == expected[i]) continue;
        ASSERT_LE(std::abs(found[i] - expected[i]), difference * std::abs(expected[i])) << "at " << i;
    }
}

/// The summary of a matrix, computed plainly.
inline void expect_summary(const algo::Summary& summary, const std::vector<double>& matrix, std::size_t n,
                           double difference)
{
    std::uint64_t pairs = 0;
    for (std::size_t source = 0; source < n; ++source) {
        algo::RowFacts facts;
        bool negative = false;
        for (std::size_t v = 0; v < n; ++v) {
            const double distance = matrix[source * n + v];
            if (v == source || std::isinf(distance)) continue;
            negative = negative || distance < 0;
            if (distance != 0) facts.inverse_sum += 1 / distance;
            ++facts.reached;
            facts.sum += distance;
            facts.eccentricity = std::max(facts.eccentricity, distance);
        }
        pairs += facts.reached;
        const algo::RowFacts& found = summary.rows()[source];
        EXPECT_EQ(found.reached, facts.reached) << source;
        EXPECT_NEAR(found.sum, facts.sum, difference * facts.sum) << source;
        EXPECT_NEAR(found.eccentricity, facts.eccentricity, difference * facts.eccentricity) << source;
        if (!summary.is_full()) continue;
        EXPECT_EQ(found.whole_sum, summary.whole() ? static_cast<std::int64_t>(facts.sum) : 0) << source;
        const double of_sum = algo::growth_of_error(2 * static_cast<double>(n), algo::kUnitRoundoff<double>);
        if (negative)
            EXPECT_TRUE(std::isnan(found.inverse_sum)) << source;
        else
            EXPECT_NEAR(found.inverse_sum, facts.inverse_sum, (difference + of_sum) * facts.inverse_sum) << source;
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
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        list.edges[i] = PackedEdge::pack(graph.edges[i].source, graph.edges[i].target);
    const auto with_weights = [&]<typename ListWeight>(ListWeight) {
        HostBuffer<ListWeight> weights(graph.edges.size());
        for (std::size_t i = 0; i < graph.edges.size(); ++i)
            weights[i] = static_cast<ListWeight>(graph.edges[i].weight);
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

/// The roundings of sums of floats of this type, in any order.
template <typename T>
inline constexpr algo::Roundings kInAnyOrder{.in_any_order = true, .addition = algo::kUnitRoundoff<T>};

/// Compares a producer's rows and summaries with the matrix, and validates the rows.
template <typename W>
void check(const Producer& producer, const Graph<W>& graph, const std::vector<double>& expected,
           const algo::Roundings& roundings = {}, bool weighted = true)
{
    const std::vector<Vertex> sources = all_vertices(graph.vertices);
    const bool whole = std::is_integral_v<W>;
    algo::Summary beside(sources.size(), whole);
    const Matrix matrix = rows_of(*producer, sources, graph.vertices, &beside);
    const double difference = roundings.along_paths() ? 0 : largest_difference(sources.size(), roundings.addition);
    expect_near(matrix.distances, expected, difference);
    expect_summary(beside, expected, sources.size(), difference);
    expect_summary(summary_of(*producer, sources, whole), expected, sources.size(), difference);
    expect_summary(summary_of(*producer, sources, whole, algo::SummaryDetail::full), expected, sources.size(),
                   difference);
    algo::RowValidator validator(edge_list<W>(graph, weighted), 0, roundings);
    algo::RowLoop loop(*producer, sources, algo::joined_ranges({{0, sources.size()}}), {&validator}, nullptr);
    while (!loop.done()) loop.make_batch();
    EXPECT_EQ(validator.checked_rows(), sources.size());
}

inline std::unique_ptr<algo::MatrixMethod> combined_rows(const DistributedGraph& graph, DistanceType type,
                                                         double most_distance, std::uint32_t most_arcs)
{
    return cpu::make_combined_rows(
        graph,
        cpu::make_delta_stepping_rows(graph, {.type = type, .most_distance = most_distance, .batch_bytes = 4096}),
        {.most_arcs = most_arcs});
}

/// Without limits: any graph will do.
inline Producer elimination_rows(const DistributedGraph& graph, DistanceType type, bool rows = true)
{
    auto tree = std::make_shared<const algo::Elimination>(
        algo::eliminate(graph, {.pairs_a_vertex = 1e9, .height = 1 << 20}).value());
    return cpu::make_elimination_rows(std::move(tree), {.type = type, .rows = rows, .batch_bytes = 4096});
}

}  // namespace wayfront::all_pairs
