// Blocked Floyd-Warshall over grids of ranks, with the CPU's tiles, against Dijkstra's algorithm.
#include "cpu/apsp/floyd_warshall.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/rows.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront {
namespace {

using algo::DistanceType;
constexpr double kFar = std::numeric_limits<double>::infinity();

class GridFloydWarshallTest : public GridTest
{
protected:
    template <typename W>
    static DistributedGraph construct_alone(const oracle::WeightedGraph<OracleWeight<W>>& graph)
    {
        static const comm::Communicator self = comm::Communicator::self();
        static const comm::ProcessGrid grid(self, {1, 1});
        return construct(grid, ShareFeed<W>(graph, 0, 1));
    }

    /// For each rank, the vertices whose rows it wants, in descending order: rank v % ranks wants
    /// the row of vertex v.
    [[nodiscard]] std::vector<std::vector<Vertex>> scattered(std::int64_t vertices) const
    {
        std::vector<std::vector<Vertex>> wanted(static_cast<std::size_t>(ranks));
        for (std::int64_t v = vertices; v-- > 0;) wanted[static_cast<std::size_t>(v % ranks)].push_back(v);
        return wanted;
    }

    /// Computes the matrix on each grid, and calls check(row as doubles, parents, source) for each
    /// row of this rank. Collective.
    template <typename W, typename Check>
    void run(const oracle::WeightedGraph<OracleWeight<W>>& graph, const cpu::FloydWarshallOptions& options,
             Check&& check)
    {
        const DistributedGraph constructed = construct_alone<W>(graph);
        const std::vector<Vertex> own = scattered(graph.vertices)[static_cast<std::size_t>(rank)];
        for (const comm::GridShape shape : shapes_of(ranks)) {
            SCOPED_TRACE(testing::Message() << graph.vertices << " vertices, " << to_text(shape));
            const auto method = cpu::make_floyd_warshall(
                constructed, options, {std::make_unique<comm::ProcessGrid>(world, shape), scattered(graph.vertices)});
            method->run(nullptr);
            for (const Vertex source : own) {
                const algo::RowBatch batch = method->rows(static_cast<std::size_t>(source), 1);
                std::vector<double> row;
                std::visit(
                    [&]<typename T>(std::span<const T> found) {
                        for (const T distance : found)
                            row.push_back(distance == unreached<T>() ? kFar : static_cast<double>(distance));
                    },
                    batch.distances);
                check(row, std::vector<std::int64_t>(batch.parents.begin(), batch.parents.end()), source);
            }
        }
    }

    template <typename O>
    static std::vector<double> as_doubles(const std::vector<O>& distances)
    {
        std::vector<double> row(distances.size());
        std::ranges::transform(distances, row.begin(), [](O distance) {
            return distance == oracle::infinity<O>() ? kFar : static_cast<double>(distance);
        });
        return row;
    }
};

TEST_F(GridFloydWarshallTest, WholeWeights)
{
    const ThreadGuard threads(2);
    for (const std::int64_t n : {1, 2, 31, 33, 64, 250}) {
        for (const bool directed : {true, false}) {
            const auto graph = random_weighted_graph<std::uint32_t>(n, static_cast<std::size_t>(3 * n), directed, 0, 9,
                                                                    static_cast<std::uint64_t>(n));
            for (const bool parents : {false, true}) {
                const double most = parents ? 1e6 : 3000;
                run<std::uint32_t>(
                    graph, {.type = DistanceType::int32, .parents = parents, .most_distance = most, .tile = 32},
                    [&](const std::vector<double>& row, const std::vector<std::int64_t>& tree, Vertex source) {
                        const auto expected = oracle::dijkstra(graph, source);
                        EXPECT_EQ(row, as_doubles(expected)) << source;
                        EXPECT_EQ(parents ? oracle::parents_fault(graph, source, expected, tree) : "", "") << source;
                    });
            }
        }
    }
}

TEST_F(GridFloydWarshallTest, FloatsAreThoseOfOneRank)
{
    const ThreadGuard threads(2);
    const auto graph = random_weighted_graph<float>(200, 900, true, 1, 1000, 5);
    const DistributedGraph constructed = construct_alone<float>(graph);
    const cpu::FloydWarshallOptions options{
        .type = DistanceType::float32, .parents = true, .most_distance = 0, .tile = 32};
    const auto alone = cpu::make_floyd_warshall(constructed, options);
    alone->run(nullptr);
    run<float>(graph, options,
               [&](const std::vector<double>& row, const std::vector<std::int64_t>& parents, Vertex source) {
                   const algo::RowBatch batch = alone->rows(static_cast<std::size_t>(source), 1);
                   const auto expected = std::get<std::span<const float>>(batch.distances);
                   EXPECT_EQ(row, std::vector<double>(expected.begin(), expected.end())) << source;
                   EXPECT_EQ(parents, std::vector<std::int64_t>(batch.parents.begin(), batch.parents.end())) << source;
               });
}

TEST_F(GridFloydWarshallTest, NegativeWeights)
{
    // Potentials make weights negative, and no cycle: w'(u, v) = w(u, v) + p(u) - p(v).
    const auto potential = [](std::int64_t v) { return v * 7919 % 50; };
    auto graph = random_weighted_graph<std::int64_t>(130, 600, true, 0, 20, 3);
    std::erase_if(graph.edges, [](const auto& edge) { return edge.source == edge.target; });
    const auto before = graph;
    for (auto& edge : graph.edges) edge.weight += potential(edge.source) - potential(edge.target);
    for (const double most : {1e4, 1e12}) {  // computed in int32, and in float64
        run<std::int64_t>(graph, {.type = DistanceType::int32, .parents = true, .most_distance = most, .tile = 32},
                          [&](const std::vector<double>& row, const std::vector<std::int64_t>& parents, Vertex source) {
                              std::vector<std::int64_t> expected = oracle::dijkstra(before, source);
                              for (std::int64_t v = 0; v < graph.vertices; ++v)
                                  if (auto& distance = expected[static_cast<std::size_t>(v)];
                                      distance != oracle::infinity<std::int64_t>())
                                      distance += potential(source) - potential(v);
                              EXPECT_EQ(row, as_doubles(expected)) << source;
                              EXPECT_EQ(oracle::parents_fault(graph, source, expected, parents), "") << source;
                          });
    }
}

}  // namespace
}  // namespace wayfront
