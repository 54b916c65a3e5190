// The engines of all pairs on one GPU, against Dijkstra's algorithm per source.
#include "gpu/apsp/row_engines.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/row_loop.hpp"
#include "gpu/apsp/device_rows.hpp"
#include "graph/construction.hpp"
#include "graph/distances.hpp"
#include "oracle/dijkstra.hpp"
#include "support/gpu_guard.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

using algo::DistanceType;

template <typename W>
using Graph = oracle::WeightedGraph<OracleWeight<W>>;
using Make = std::function<std::unique_ptr<algo::RowProducer>(const DistributedGraph&, const gpu::RowEngineOptions&)>;

class RowEngines : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// Compares each row with the distances of the oracle, and the summary made on the GPU with the one
/// made from the rows.
class Comparison final : public algo::RowConsumer
{
public:
    explicit Comparison(std::function<std::vector<double>(Vertex)> expected) : expected_(std::move(expected)) {}
    void take(const algo::RowBatch& batch) override
    {
        std::visit(
            [&]<typename T>(std::span<const T> rows) {
                for (std::size_t i = 0; i < batch.sources.size(); ++i) {
                    const std::vector<double> expected = expected_(batch.sources[i]);
                    for (std::size_t v = 0; v < batch.columns; ++v) {
                        const T found = rows[i * batch.columns + v];
                        const double distance = found == unreached<T>() ? std::numeric_limits<double>::infinity() : static_cast<double>(found);
                        ASSERT_EQ(distance, expected[v]) << "from " << batch.sources[i] << " to " << v;
                    }
                }
            },
            batch.distances);
        rows_ += batch.sources.size();
    }
    [[nodiscard]] std::size_t rows() const { return rows_; }

private:
    std::function<std::vector<double>(Vertex)> expected_;
    std::size_t rows_ = 0;
};

algo::Summary summary_of(algo::RowProducer& producer, const std::vector<Vertex>& sources, std::vector<algo::RowConsumer*> consumers, bool whole)
{
    algo::Summary summary(sources.size(), whole);
    algo::RowLoop loop(producer, sources, algo::joined_ranges({{0, sources.size()}}), std::move(consumers), &summary);
    while (!loop.done()) loop.make_batch();
    return summary;
}

template <typename W>
void check(const Graph<W>& graph, const Make& make, DistanceType type, double most_distance, bool all = true)
{
    static const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const DistributedGraph constructed = construct(grid, ShareFeed<W>(graph, 0, 1));
    std::vector<Vertex> sources(static_cast<std::size_t>(graph.vertices));
    std::iota(sources.begin(), sources.end(), Vertex{0});
    if (!all) sources = {sources.back(), 0, graph.vertices / 2};
    const auto producer = make(constructed, {.type = type, .most_distance = most_distance, .memory_bytes = std::size_t{1} << 20});
    Comparison comparison([&](Vertex source) {
        std::vector<double> distances;
        for (const auto distance : oracle::dijkstra(graph, source))
            distances.push_back(distance == oracle::infinity<OracleWeight<W>>() ? std::numeric_limits<double>::infinity()
                                                                                : static_cast<double>(distance));
        return distances;
    });
    const bool whole = std::is_integral_v<OracleWeight<W>>;
    const algo::Summary expected = summary_of(*producer, sources, {&comparison}, whole);
    EXPECT_EQ(comparison.rows(), sources.size());
    const algo::Summary found = summary_of(*producer, sources, {}, whole);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        EXPECT_EQ(found.rows()[i].reached, expected.rows()[i].reached);
        EXPECT_EQ(found.rows()[i].eccentricity, expected.rows()[i].eccentricity);
        EXPECT_NEAR(found.rows()[i].sum, expected.rows()[i].sum, whole ? 0 : 1e-9 * expected.rows()[i].sum);
    }
    EXPECT_EQ(found.histogram().exponent(), expected.histogram().exponent());
    const auto counts = [](const algo::Summary& summary) {
        std::vector<std::uint64_t> bins(summary.histogram().counts().begin(), summary.histogram().counts().end());
        bins.resize(algo::DistanceHistogram::kBins);
        return bins;
    };
    EXPECT_EQ(counts(found), counts(expected));
}

const std::vector<std::int64_t> kSizes{1, 2, 31, 32, 33, 64, 129, 1000};

TEST_F(RowEngines, SearchesOfWholeWeights)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 1, 4, 20})
            for (const bool directed : {false, true}) {
                SCOPED_TRACE(testing::Message() << n << " vertices of degree " << degree << (directed ? ", directed" : ""));
                const auto edges = static_cast<std::size_t>(degree * n);
                const bool all = n < 1000 || degree == 4;
                for (const Make& make : {Make(gpu::make_row_searches), Make(gpu::make_combined_matrix)}) {
                    check<std::uint32_t>(random_weighted_graph<std::uint32_t>(n, edges, directed, 0, 30, 1), make, DistanceType::uint16, 30 * n, all);
                    check<std::uint32_t>(random_weighted_graph<std::uint32_t>(n, edges, directed, 1, n, 2), make, DistanceType::int32, 1e6, all);
                    check<std::uint32_t>(random_weighted_graph<std::uint32_t>(n, edges, directed, 0, 1 << 20, 3), make, DistanceType::int32, 1e9,
                                         all);
                }
            }
}

TEST_F(RowEngines, SearchesOfFloats)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 20})
            check<float>(random_weighted_graph<float>(n, static_cast<std::size_t>(degree * n), true, 0, 1000, 4), gpu::make_row_searches,
                         DistanceType::float32, 0, n < 1000);
}

Make batched(gpu::BatchedMode mode, std::uint32_t sources)
{
    return [=](const DistributedGraph& graph, const gpu::RowEngineOptions& options) {
        return gpu::make_batched_searches(graph, options, mode, sources);
    };
}

TEST_F(RowEngines, MethodsOfThePaper)
{
    const std::vector<Make> makes{batched(gpu::BatchedMode::shared, 32), batched(gpu::BatchedMode::shared, 128),
                                  batched(gpu::BatchedMode::unshared, 64), batched(gpu::BatchedMode::iterated, 1)};
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 40})
            for (std::size_t i = 0; i < makes.size(); ++i) {
                SCOPED_TRACE(testing::Message() << n << " vertices of degree " << degree << ", method " << i);
                const auto edges = static_cast<std::size_t>(degree * n);
                check<std::uint32_t>(random_weighted_graph<std::uint32_t>(n, edges, true, 0, 30, 1), makes[i], DistanceType::uint16, 30 * n,
                                     n < 1000);
                check<std::uint32_t>(random_weighted_graph<std::uint32_t>(n, edges, false, 1, n, 2), makes[i], DistanceType::int32, 1e6, n < 1000);
                check<float>(random_weighted_graph<float>(n, edges, true, 0, 1000, 4), makes[i], DistanceType::float32, 0, n < 129);
            }
}

TEST_F(RowEngines, FloydWarshall)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 50}) {
            SCOPED_TRACE(testing::Message() << n << " vertices of degree " << degree);
            const auto edges = static_cast<std::size_t>(degree * n);
            const bool all = n < 1000;
            const auto whole = [&](std::int64_t most, std::uint64_t seed) {
                return random_weighted_graph<std::uint32_t>(n, edges, true, 0, static_cast<std::uint32_t>(most), seed);
            };
            check<std::uint32_t>(whole(30, 5), gpu::make_floyd_warshall_matrix, DistanceType::uint16, 30000, all);
            check<std::uint32_t>(whole(1 << 20, 6), gpu::make_floyd_warshall_matrix, DistanceType::int32, 2e9, all);
        }
}

TEST_F(RowEngines, Hops)
{
    for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 129, 1000, 1500})
        for (const std::int64_t degree : {0, 1, 3, 12})
            for (const bool directed : {false, true}) {
                SCOPED_TRACE(testing::Message() << n << " vertices of degree " << degree << (directed ? ", directed" : ""));
                check<std::uint32_t>(random_weighted_graph<std::uint32_t>(n, static_cast<std::size_t>(degree * n), directed, 1, 1, 9),
                                     gpu::make_hop_rows, DistanceType::uint16, n);
            }
    Graph<std::uint32_t> path{400, true, {}};  // more levels than the first launch has bits for
    for (std::int64_t v = 0; v + 1 < path.vertices; ++v) path.edges.push_back({v, v + 1, 1});
    check<std::uint32_t>(path, gpu::make_hop_rows, DistanceType::uint16, 400);
}

/// Bits, hubs and lists of all lengths: a star in both directions, a complete graph, a ring.
TEST_F(RowEngines, Shapes)
{
    constexpr std::int64_t n = 300;
    Graph<std::uint32_t> star{n, false, {}};
    Graph<std::uint32_t> ring{n, true, {}};
    Graph<std::uint32_t> complete{60, true, {}};
    for (std::int64_t v = 0; v < n; ++v) {
        if (v > 0) star.edges.push_back({0, v, v % 7});
        ring.edges.push_back({v, (v + 1) % n, v % 3});
    }
    for (std::int64_t u = 0; u < 60; ++u)
        for (std::int64_t v = 0; v < 60; ++v)
            if (u != v) complete.edges.push_back({u, v, 1 + u * v % 100});
    for (const Graph<std::uint32_t>& graph : {star, ring, complete})
        for (const Make& make : {Make(gpu::make_row_searches), Make(gpu::make_combined_matrix), Make(gpu::make_floyd_warshall_matrix)})
            check<std::uint32_t>(graph, make, DistanceType::int32, 1e6);
}

TEST_F(RowEngines, OneSmallGraphForSanitizers)
{
    for (const Make& make : {Make(gpu::make_row_searches), Make(gpu::make_combined_matrix), Make(gpu::make_floyd_warshall_matrix),
                             batched(gpu::BatchedMode::shared, 32), batched(gpu::BatchedMode::unshared, 32), batched(gpu::BatchedMode::iterated, 1)})
        check<std::uint32_t>(random_weighted_graph<std::uint32_t>(200, 900, true, 0, 50, 7), make, DistanceType::int32, 1e6);
}

/// The distances of this many vertices fill most of a multiprocessor's shared memory.
TEST_F(RowEngines, AsManyVerticesAsFitABlock)
{
    check<std::uint32_t>(random_weighted_graph<std::uint32_t>(50000, 200000, true, 1, 50000, 8), gpu::make_row_searches, DistanceType::int32, 1e9,
                         false);
}

}  // namespace
}  // namespace wayfront
