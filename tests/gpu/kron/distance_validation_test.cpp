// Compares the validator of shortest paths on the GPU with the validator on the host: both get the
// same results, correct ones and wrong ones of all kinds, and must return the same verdict, for any
// number of ranks. Several ranks are threads, each with a stream, on one GPU.
#include "gpu/kron/distance_validation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/gpu/checked_distances.hpp"
#include "support/gpu/thread_ranks.hpp"
#include "support/gpu_guard.hpp"

namespace wayfront::gpu::kron {
namespace {

class GpuDistanceValidation : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// Expects that GPU and host find the same fault in every result, and that any number of ranks
/// returns the verdicts of one rank.
void expect_as_on_host(const TupleGraph& graph, Vertex key, const std::vector<Result>& results)
{
    OneRank alone;
    const std::vector<DistanceVerdict> expected = verdicts_of_rank(graph, key, results, alone);
    for (std::size_t i = 0; i < results.size(); ++i) {
        SCOPED_TRACE("result " + std::to_string(i));
        expect_as_on_host(graph, key, results[i], expected[i]);
    }
    for (const int ranks : {2, 3, 4}) {
        std::vector<std::vector<DistanceVerdict>> found(static_cast<std::size_t>(ranks));
        on_thread_ranks(ranks, [&](DeviceCollectives& together, std::size_t rank) {
            found[rank] = verdicts_of_rank(graph, key, results, together);
        });
        for (std::size_t rank = 0; rank < found.size(); ++rank) {
            for (std::size_t i = 0; i < results.size(); ++i) {
                SCOPED_TRACE("result " + std::to_string(i) + ", rank " + std::to_string(rank) + " of " +
                             std::to_string(ranks));
                EXPECT_EQ(fields(found[rank][i]), fields(expected[i]));
            }
        }
    }
}

/// Expects a violation of `rule` in one result.
void expect_violation(const TupleGraph& graph, Vertex key, const Result& result, graph500::Rule rule)
{
    const graph500::Validation expected = on_host(graph, key, result);
    ASSERT_FALSE(expected.valid()) << "the test does not break what it means to";
    ASSERT_EQ(expected.violation->rule, rule) << describe(*expected.violation);
    expect_as_on_host(graph, key, {result});
}

TEST_F(GpuDistanceValidation, AcceptsSearches)
{
    for (const auto& [scale, edge_factor] : {std::pair{1, 1}, {3, 2}, {5, 16}, {8, 1}, {10, 16}, {12, 4}}) {
        const TupleGraph graph(scale, edge_factor, static_cast<std::uint64_t>(scale));
        for (const Vertex key : {Vertex{0}, graph.n / 3, graph.n - 1}) {
            SCOPED_TRACE("scale " + std::to_string(scale) + ", key " + std::to_string(key));
            const Result result = graph.search(key);
            ASSERT_TRUE(on_host(graph, key, result).valid());
            expect_as_on_host(graph, key, {result, result});
        }
    }
}

TEST_F(GpuDistanceValidation, RejectsDistancesThatAreWrongByOneUlp)
{
    const TupleGraph graph(9, 8);
    const Searched searched(graph);
    const auto leaf =
        static_cast<std::size_t>(graph.first([&](Vertex v) { return searched.deep(v) && searched.leaf(v); }));
    Result nearer = searched.good;
    nearer.distances[leaf] = std::nextafter(nearer.distances[leaf], 0.0F);
    ASSERT_FALSE(on_host(graph, searched.key, nearer).valid());
    Result further = searched.good;
    further.distances[leaf] = std::nextafter(further.distances[leaf], kFar);
    expect_violation(graph, searched.key, further, graph500::Rule::edge_distances);
    expect_as_on_host(graph, searched.key, {nearer, further});
}

TEST_F(GpuDistanceValidation, RejectsAParentThatIsNotAdjacent)
{
    const TupleGraph graph(9, 4);
    const Searched searched(graph);
    const Vertex v = graph.first([&](Vertex u) { return searched.deep(u); });
    Result result = searched.good;
    const Vertex stranger = graph.first([&](Vertex u) {
        return u != v && searched.reached(u) && searched.distance(u) < searched.distance(v) && !graph.joined(u, v);
    });
    result.parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(stranger);
    expect_violation(graph, searched.key, result, graph500::Rule::tree_edges);
}

TEST_F(GpuDistanceValidation, RejectsAParentAtTheWrongDistance)
{
    const TupleGraph graph(9, 16);
    const Searched searched(graph);
    Vertex other = -1;
    const Vertex v = graph.first([&](Vertex u) {
        for (other = 0; other < graph.n; ++other)
            if (other != u && other != searched.parent(u) && searched.deep(u) && searched.reached(other) &&
                searched.distance(other) < searched.distance(u) && graph.joined(other, u))
                return true;
        return false;
    });
    Result result = searched.good;
    result.parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(other);
    expect_violation(graph, searched.key, result, graph500::Rule::tree_distances);
}

TEST_F(GpuDistanceValidation, RejectsCycles)
{
    const TupleGraph graph(9, 8);
    const Searched searched(graph);
    // Two vertices are each other's parents, at equal distances, as if their edge had weight 0.
    const Vertex v = graph.first([&](Vertex u) { return searched.deep(u); });
    const Vertex u = searched.parent(v);
    Result two = searched.good;
    two.parents[static_cast<std::size_t>(u)] = static_cast<std::int32_t>(v);
    two.distances[static_cast<std::size_t>(v)] = two.distances[static_cast<std::size_t>(u)];
    expect_violation(graph, searched.key, two, graph500::Rule::tree);
    Result own = searched.good;
    own.parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(v);
    expect_violation(graph, searched.key, own, graph500::Rule::tree);
}

TEST_F(GpuDistanceValidation, RejectsAVertexLeftOut)
{
    const TupleGraph graph(9, 8);
    const Searched searched(graph);
    const auto leaf =
        static_cast<std::size_t>(graph.first([&](Vertex v) { return searched.deep(v) && searched.leaf(v); }));
    Result result = searched.good;
    result.parents[leaf] = -1;
    result.distances[leaf] = kFar;
    expect_violation(graph, searched.key, result, graph500::Rule::component);
}

TEST_F(GpuDistanceValidation, RejectsAWrongRoot)
{
    const TupleGraph graph(9, 8);
    const Searched searched(graph);
    const auto key = static_cast<std::size_t>(searched.key);
    const Vertex child = graph.first([&](Vertex v) { return v != searched.key && searched.parent(v) == searched.key; });
    for (const std::int32_t wrong : {static_cast<std::int32_t>(child), -1, static_cast<std::int32_t>(graph.n)}) {
        Result result = searched.good;
        result.parents[key] = wrong;
        expect_violation(graph, searched.key, result, graph500::Rule::tree);
    }
    Result other_root = graph.search(child);
    expect_violation(graph, searched.key, other_root, graph500::Rule::tree);
    Result lifted = searched.good;
    lifted.distances[key] = std::numeric_limits<float>::denorm_min();
    expect_violation(graph, searched.key, lifted, graph500::Rule::tree_distances);
}

TEST_F(GpuDistanceValidation, RejectsDistancesThatAreNone)
{
    const TupleGraph graph(9, 2);
    const Searched searched(graph);
    const auto reached = static_cast<std::size_t>(graph.first([&](Vertex v) { return searched.deep(v); }));
    const auto unreached = static_cast<std::size_t>(graph.first([&](Vertex v) { return !searched.reached(v); }));
    for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), -kFar, kFar}) {
        Result result = searched.good;
        result.distances[reached] = wrong;
        expect_violation(graph, searched.key, result, graph500::Rule::tree_distances);
    }
    Result result = searched.good;
    result.distances[unreached] = 0.5F;
    expect_violation(graph, searched.key, result, graph500::Rule::tree_distances);
}

TEST_F(GpuDistanceValidation, SaysWhatTheHostSaysOfRandomFaults)
{
    std::mt19937_64 random(11);
    for (const auto& [scale, edge_factor] : {std::pair{4, 4}, {6, 8}, {8, 8}}) {
        SCOPED_TRACE("scale " + std::to_string(scale));
        const TupleGraph graph(scale, edge_factor, random());
        const Searched searched(graph);
        std::vector<Result> results;
        for (int i = 0; i < 200; ++i) {
            Result result = searched.good;
            for (std::uint64_t faults = 1 + random() % 2; faults > 0; --faults) {
                const auto v = static_cast<std::size_t>(random() % result.parents.size());
                const PackedEdge& tuple = graph.tuples[static_cast<std::size_t>(random() % graph.tuples.size())];
                switch (random() % 4) {
                    case 0:
                        result.parents[v] = static_cast<std::int32_t>(random() % (result.parents.size() + 2)) - 1;
                        break;
                    case 1:
                        result.parents[static_cast<std::size_t>(tuple.source())] =
                            static_cast<std::int32_t>(tuple.target());
                        break;
                    case 2:
                        result.distances[v] = std::nextafter(result.distances[v], random() % 2 == 0 ? 0.0F : kFar);
                        break;
                    default:
                        result.distances[v] = static_cast<float>(random() % 1000) * 1e-3F;
                        break;
                }
            }
            results.push_back(result);
        }
        expect_as_on_host(graph, searched.key, results);
    }
}

TEST_F(GpuDistanceValidation, RefusesGraphsOfOtherSizes)
{
    const Stream stream;
    OneRank alone;
    EXPECT_THROW(KronDistanceValidator(kron_parameters(32, 2, 3), 16384, alone, stream), InputError);
}

}  // namespace
}  // namespace wayfront::gpu::kron
