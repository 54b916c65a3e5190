// Tests of the validator of shortest paths over ranks, with each possible exchange. ctest runs
// these tests with 1, 2, 3, 4 and 8 ranks; ranks share a GPU if there are fewer GPUs.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/kron/kron_component.hpp"
#include "gpu/runtime/stream.hpp"
#include "support/exchange_methods.hpp"
#include "support/gpu/checked_distances.hpp"

namespace wayfront::gpu::kron {

// This class is not in an anonymous namespace, because GoogleTest names the tests' classes after
// it.
class DistanceValidationOverRanks : public OverRanks
{
};

TEST_F(DistanceValidationOverRanks, SaysWhatTheHostSays)
{
    const TupleGraph graph(10, 8);
    const Searched searched(graph);
    std::vector<Result> results(5, searched.good);
    const auto leaf =
        static_cast<std::size_t>(graph.first([&](Vertex v) { return searched.deep(v) && searched.leaf(v); }));
    const auto deep = static_cast<std::size_t>(graph.first([&](Vertex v) { return searched.deep(v); }));
    results[1].distances[leaf] = std::nextafter(results[1].distances[leaf], kFar);
    results[2].parents[leaf] = -1;
    results[2].distances[leaf] = kFar;
    results[3].parents[deep] = static_cast<std::int32_t>(deep);
    results[4].parents[deep] = static_cast<std::int32_t>(graph.first([&](Vertex v) {
        return searched.reached(v) && searched.distance(v) < searched.good.distances[deep] &&
               !graph.joined(v, static_cast<Vertex>(deep));
    }));
    OneRank alone;
    const std::vector<DistanceVerdict> expected = verdicts_of_rank(graph, searched.key, results, alone);
    for (std::size_t i = 0; i < results.size(); ++i) {
        SCOPED_TRACE("result " + std::to_string(i));
        EXPECT_EQ(expected[i].valid(), i == 0);
        expect_as_on_host(graph, searched.key, results[i], expected[i]);
    }
    each_method([&](DeviceExchange& exchange) {
        const std::vector<DistanceVerdict> verdicts = verdicts_of_rank(graph, searched.key, results, exchange);
        for (std::size_t i = 0; i < results.size(); ++i)
            EXPECT_EQ(fields(verdicts[i]), fields(expected[i])) << "result " << i;
    });
}

/// KronComponent counts the tuples of a search for shortest paths from its parents, as for
/// breadth-first search.
TEST_F(DistanceValidationOverRanks, CountsTheSameTuplesAsTheComponent)
{
    const Stream stream;
    const TupleGraph graph(10, 2);
    const Searched searched(graph);
    KronComponent component(graph.source.parameters(), graph.source.edge_count(), world_.size(), world_.rank(), stream);
    const graph500::Validation expected = on_host(graph, searched.key, searched.good);
    each_method([&](DeviceExchange& exchange) {
        const DeviceBuffer<std::int32_t> parents = upload_own(searched.good.parents, exchange, stream);
        std::int64_t ends[] = {component.reached_ends(parents.data())};
        exchange.sum(ends);
        EXPECT_EQ(ends[0], 2 * static_cast<std::int64_t>(expected.edges));
    });
}

}  // namespace wayfront::gpu::kron
