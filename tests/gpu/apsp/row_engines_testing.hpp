// Rows of distances that engines on one GPU make, compared with expected rows.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "gpu/apsp/row_engines.hpp"
#include "graph/edge_feed.hpp"
#include "oracle/dijkstra.hpp"
#include "support/gpu_guard.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {

using algo::DistanceType;
using gpu::apsp::RowEngineOptions;
using gpu::apsp::RowMethod;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename W>
using Graph = oracle::WeightedGraph<OracleWeight<W>>;

class RowEngines : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// The rows that an engine should make.
class Expected
{
public:
    virtual ~Expected() = default;
    /// The distances from a vertex.
    [[nodiscard]] virtual std::vector<double> row(Vertex source) const = 0;
};

template <typename W>
class OracleRows : public Expected
{
public:
    explicit OracleRows(const Graph<W>& graph) : graph_(graph) {}
    [[nodiscard]] std::vector<double> row(Vertex source) const override
    {
        std::vector<double> distances;
        for (const auto distance : oracle::dijkstra(graph_, source))
            distances.push_back(distance == oracle::infinity<OracleWeight<W>>() ? kInfinity
                                                                                : static_cast<double>(distance));
        return distances;
    }

private:
    const Graph<W>& graph_;
};

/// The host constructs the graph, on one rank.
[[nodiscard]] DistributedGraph construct_alone(const EdgeFeed& feed);

/// The summary of rows that the producer makes and the consumers read; without consumers the producer makes it.
[[nodiscard]] algo::Summary summary_of(algo::RowProducer& producer, const std::vector<Vertex>& sources,
                                       std::vector<algo::RowConsumer*> consumers, bool whole);
/// Compares the GPU's summary with the summary that is made from rows.
void expect_same(const algo::Summary& found, const algo::Summary& expected, bool whole);
/// Whether the distances of searches by blocks are in device memory.
[[nodiscard]] bool is_in_device_memory(const algo::RowProducer& searches);

/// Checks an engine. The sources are all vertices if `all`, otherwise three vertices. Sums of floats may have a
/// relative difference of `tolerance`. Searches by blocks are also checked with distances in device memory.
void check(const EdgeFeed& feed, const Expected& expected, RowEngineOptions options, bool all = true,
           double tolerance = 0);
template <typename W>
void check(const Graph<W>& graph, const RowEngineOptions& options, bool all = true, double tolerance = 0)
{
    check(ShareFeed<W>(graph, 0, 1), OracleRows<W>(graph), options, all, tolerance);
}

/// Checks the engines that count edges.
void check_hops(const Graph<std::uint32_t>& graph);

[[nodiscard]] RowEngineOptions options_of(const RowMethod* method, DistanceType type, std::int64_t most_distance,
                                          std::uint32_t batch_sources = 32);

/// A random graph of n vertices and degree * n edges, with whole weights from `least` to `most`.
[[nodiscard]] Graph<std::uint32_t> random_whole(std::int64_t n, std::int64_t degree, bool directed, std::int64_t least,
                                                std::int64_t most, std::uint64_t seed);
/// A random directed graph of n vertices and degree * n edges, with floats as weights.
[[nodiscard]] Graph<float> random_floats(std::int64_t n, std::int64_t degree);

}  // namespace wayfront
