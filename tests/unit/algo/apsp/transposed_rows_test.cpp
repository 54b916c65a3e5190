#include "algo/apsp/transposed_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "cpu/apsp/arc_list_rows.hpp"
#include "graph/construction.hpp"
#include "graph/reverse_edges.hpp"
#include "oracle/dijkstra.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront::algo {
namespace {

using Graph = oracle::WeightedGraph<std::int64_t>;

/// The rows of `sources`, in batches of two.
std::vector<std::int32_t> rows_of(RowProducer& producer, std::span<const Vertex> sources)
{
    std::vector<std::int32_t> rows;
    producer.prepare();
    for (std::size_t first = 0; first < sources.size(); first += 2) {
        producer.launch(sources.subspan(first, std::min<std::size_t>(2, sources.size() - first)));
        const RowBatch batch = producer.collect();
        const auto distances = std::get<std::span<const std::int32_t>>(batch.distances);
        EXPECT_EQ(distances.size(), batch.sources.size() * batch.columns);
        rows.insert(rows.end(), distances.begin(), distances.end());
    }
    return rows;
}

TEST(TransposedRows, AreTheColumnsOfSearchesAgainstTheEdges)
{
    RandomNumbers random(11);
    for (int i = 0; i < 60; ++i) {
        Graph graph{2 + random.below(60), true, {}};
        const auto vertices = static_cast<std::uint32_t>(graph.vertices);
        for (std::uint32_t edge = random.below(4 * vertices); edge > 0; --edge)
            graph.edges.push_back({random.below(vertices), random.below(vertices), 1 + random.below(20)});
        // Some occur twice.
        std::vector<Vertex> sources;
        for (std::uint32_t k = 1 + random.below(40); k > 0; --k) sources.push_back(random.below(vertices));
        std::vector<Vertex> targets;
        for (std::uint32_t k = 1 + random.below(9); k > 0; --k) targets.push_back(random.below(vertices));

        const comm::ProcessGrid grid(comm::Communicator::alone(), {1, 1});
        DistributedGraph reversed = construct(grid, ShareFeed<std::uint32_t>(graph, 0, 1), {});
        reverse_edges(reversed);
        TransposedRows rows(
            cpu::make_dijkstra_rows(reversed, {.type = DistanceType::int32, .most_distance = 1e6, .batch_bytes = 16}),
            {sources, targets, vertices}, grid.world(), nullptr);
        std::vector<std::int32_t> expected;
        for (const Vertex source : sources) {
            const std::vector<std::int64_t> row = oracle::dijkstra(graph, source);
            for (const Vertex target : targets) {
                const std::int64_t distance = row[static_cast<std::size_t>(target)];
                expected.push_back(distance == oracle::infinity<std::int64_t>() ? unreached<std::int32_t>()
                                                                                : static_cast<std::int32_t>(distance));
            }
        }
        EXPECT_EQ(rows_of(rows, sources), expected) << "graph " << i;
    }
}

}  // namespace
}  // namespace wayfront::algo
