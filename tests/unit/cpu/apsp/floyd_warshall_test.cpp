// Floyd-Warshall with negative weights, which only this method supports.
#include "cpu/apsp/floyd_warshall.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "cpu/apsp/distance_bound.hpp"
#include "support/apsp_testing.hpp"

namespace wayfront::all_pairs {
namespace {

TEST(FloydWarshall, NegativeWeights)
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
        for (std::int64_t v = 0; v < n; ++v)
            expected[static_cast<std::size_t>(u * n + v)] += static_cast<double>(potential(u) - potential(v));
    const DistributedGraph constructed = construct_alone<std::int64_t>(graph, true);
    for (const double most : {cpu::bound_distances(constructed).at_most, 1e12}) {
        for (const bool parents : {false, true}) {
            const Producer producer = algo::make_matrix_rows(
                cpu::make_floyd_warshall(
                    constructed, {.type = DistanceType::int32, .parents = parents, .most_distance = most, .tile = 32}),
                nullptr);
            EXPECT_EQ(rows_of(*producer, all_vertices(n), n).distances, expected);
        }
    }
}

}  // namespace
}  // namespace wayfront::all_pairs
