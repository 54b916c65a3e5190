// Graphs of the library whose edges remain in arrays of the caller.
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/dijkstra.hpp"
#include "support/io_testing.hpp"
#include "support/sssp_testing.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

using io_testing::message_of;

/// A graph as arrays whose indices are of type Index.
template <typename Index, typename Weight>
struct Arrays
{
    std::vector<Index> sources, targets, offsets;
    std::vector<Weight> weights;

    [[nodiscard]] CsrArrays rows() const
    {
        return {std::span<const Index>(offsets), std::span<const Index>(targets), std::span<const Weight>(weights)};
    }
    [[nodiscard]] EdgeArrays pairs() const
    {
        return {std::span<const Index>(sources), std::span<const Index>(targets), std::span<const Weight>(weights)};
    }
};

template <typename Index, typename Weight>
Arrays<Index, Weight> arrays_of(const oracle::WeightedGraph<std::int64_t>& graph)
{
    std::vector<std::size_t> order(graph.edges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return graph.edges[i].source; });
    Arrays<Index, Weight> arrays;
    arrays.offsets.assign(static_cast<std::size_t>(graph.vertices) + 1, 0);
    for (const std::size_t i : order) {
        const auto& edge = graph.edges[i];
        arrays.sources.push_back(static_cast<Index>(edge.source));
        arrays.targets.push_back(static_cast<Index>(edge.target));
        arrays.weights.push_back(static_cast<Weight>(edge.weight));
        ++arrays.offsets[static_cast<std::size_t>(edge.source) + 1];
    }
    std::partial_sum(arrays.offsets.begin(), arrays.offsets.end(), arrays.offsets.begin());
    return arrays;
}

/// All searches of a view, against the oracle.
void expect_distances(const Graph& graph, const oracle::WeightedGraph<std::int64_t>& whole)
{
    EXPECT_EQ(graph.edge_count(), static_cast<std::int64_t>(whole.edges.size()));
    const std::vector<std::int64_t> expected = oracle::dijkstra(whole, 3);
    const ShortestPathsResult found = shortest_paths(graph, 3, {.engine = Engine::cpu, .validate = true});
    AllPairs pairs(graph, {.engine = Engine::cpu, .sources = {3}, .validate = true});
    std::vector<double> row(expected.size());
    pairs.rows([&](const DistanceRows& rows) {
        for (std::size_t v = 0; v < row.size(); ++v) row[v] = rows.distance(0, v);
    });
    for (std::size_t v = 0; v < expected.size(); ++v) {
        const double distance = expected[v] == oracle::infinity<std::int64_t>()
                                    ? std::numeric_limits<double>::infinity()
                                    : static_cast<double>(expected[v]);
        EXPECT_EQ(found.distance(static_cast<std::int64_t>(v)), distance) << v;
        EXPECT_EQ(row[v], distance) << v;
    }
    EXPECT_EQ(bfs(graph, 3, {.engine = Engine::cpu, .validate = true}).reached, found.reached);
}

template <typename Index, typename Weight>
void expect_views(bool directed)
{
    SCOPED_TRACE(testing::Message() << "indices of " << sizeof(Index) << " bytes, weights of " << sizeof(Weight)
                                    << " bytes, " << (directed ? "" : "un") << "directed");
    const auto graph = random_weighted_graph<std::int64_t>(9000, 20000, directed, 1, 1000, 7);
    const Arrays<Index, Weight> arrays = arrays_of<Index, Weight>(graph);
    const LoadOptions options{.direction = directed ? EdgeDirection::directed : EdgeDirection::undirected};
    expect_distances(Graph::view(graph.vertices, arrays.rows(), options), graph);
    expect_distances(Graph::view(graph.vertices, arrays.pairs(), options), graph);
}

TEST(LibraryViews, HaveIndicesAndWeightsOfAllTypes)
{
    for (const bool directed : {true, false}) {
        expect_views<std::int32_t, std::int32_t>(directed);
        expect_views<std::int64_t, std::int64_t>(directed);
        expect_views<std::int32_t, float>(directed);
        expect_views<std::int64_t, double>(directed);
    }
}

TEST(LibraryViews, MayHaveRowsWithoutEdges)
{
    const std::vector<std::int32_t> offsets{0, 0, 0, 2, 2, 3, 3};
    const std::vector<std::int64_t> targets{4, 5, 0};
    const Graph graph = Graph::view(6, CsrArrays{std::span(offsets), std::span(targets)});
    EXPECT_EQ(bfs(graph, 2, {.engine = Engine::cpu}).levels,
              (std::vector<std::int32_t>{2, kNotReached, 0, kNotReached, 1, 1}));
    EXPECT_EQ(Graph::view(0, CsrArrays{std::span(offsets).first(1), {}}).edge_count(), 0);
}

TEST(LibraryViews, WeightsAreLeftOutOrOfDoublePrecision)
{
    const std::vector<std::int32_t> sources{0, 1}, targets{1, 2};
    const std::vector<float> floats{0.1F, 0.2F};
    const EdgeArrays edges{std::span(sources), std::span(targets), std::span<const float>(floats)};
    const auto distance = [&](const LoadOptions& options) {
        return shortest_paths(Graph::view(3, edges, options), 0, {.engine = Engine::cpu}).distance(2);
    };
    EXPECT_EQ(distance({}), static_cast<double>(0.1F + 0.2F));
    EXPECT_EQ(distance({.double_precision = true}), static_cast<double>(0.1F) + static_cast<double>(0.2F));
    EXPECT_EQ(distance({.weights = "none"}), 2);
    EXPECT_EQ(message_of<InputError>([&] { distance({.weights = "uniform:1..5"}); }),
              "weights: a view of arrays has the weights of the caller, or with \"none\" none");
}

TEST(LibraryViews, FaultsOfArraysAreNamed)
{
    using Numbers = std::vector<std::int64_t>;
    const auto rows = [](const Numbers& offsets, const Numbers& targets, Vertex first_row = 0) {
        return message_of<InputError>([&] {
            Graph::view(3, CsrArrays{std::span(offsets), std::span(targets), {}, first_row});
        });
    };
    EXPECT_EQ(rows({}, {}), "the offsets of rows are missing: there is one more of them than rows");
    EXPECT_EQ(rows({1, 2}, {0, 1}), "the offset of the first row is 1, and must be 0");
    EXPECT_EQ(rows({0, 2, 1}, {0, 1}), "the offset of row 2 is 1, less than the one before");
    EXPECT_EQ(rows({0, 1, 3}, {0, 1}), "the last offset is 3, but there are 2 targets");
    EXPECT_EQ(rows({0, 1, 1, 1, 1}, {0}), "there are 4 rows from 0 on, but the graph's vertices are 0 to 2");
    EXPECT_EQ(rows({0, 1}, {0}, 3), "there are 1 rows from 3 on, but the graph's vertices are 0 to 2");
    EXPECT_EQ(rows({0, 1}, {0}, -1), "there are 1 rows from -1 on, but the graph's vertices are 0 to 2");
    EXPECT_EQ(rows({0, 2}, {0, 3}), "edge 1 names vertex 3, but the graph's vertices are 0 to 2");
    EXPECT_EQ(rows({0, 2}, {0, -1}), "edge 1 names vertex -1, but the graph's vertices are 0 to 2");
    const auto pairs = [](const Numbers& sources, const Numbers& targets,
                          const std::optional<EdgeWeights>& weights = {}) {
        return message_of<InputError>([&] {
            Graph::view(3, EdgeArrays{std::span(sources), std::span(targets), weights});
        });
    };
    EXPECT_EQ(pairs({0, 1}, {1}), "there are 2 sources and 1 targets");
    EXPECT_EQ(pairs({0, 5}, {1, 2}), "edge 1 names vertex 5, but the graph's vertices are 0 to 2");
    const Numbers one{1};
    EXPECT_EQ(pairs({0, 1}, {1, 2}, std::span(one)), "1 weights were given for 2 edges");
    const std::vector<double> infinite{1, std::numeric_limits<double>::infinity()};
    EXPECT_EQ(pairs({0, 1}, {1, 2}, std::span(infinite)), "the weight of edge 1 is not a finite number");
    EXPECT_EQ(message_of<InputError>([] { Graph::view(-1, EdgeArrays{}); }), "a graph has 0 to 2^48 vertices, not -1");
}

}  // namespace
}  // namespace wayfront
