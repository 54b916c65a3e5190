// Compares the engines of all pairs on one GPU with Dijkstra's algorithm from each source.
#include "gpu/apsp/row_engines.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/row_loop.hpp"
#include "graph/construction.hpp"
#include "graph/distances.hpp"
#include "graph/edge_list.hpp"
#include "oracle/dijkstra.hpp"
#include "support/gpu_guard.hpp"
#include "support/roundings.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

using algo::DistanceType;
using gpu::apsp::RowEngineOptions;
using gpu::apsp::RowMethod;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

/// Compares each row with the expected row. Sums of floats may have a relative difference.
class Comparison final : public algo::RowConsumer
{
public:
    Comparison(const Expected& expected, double tolerance) : expected_(expected), tolerance_(tolerance) {}
    void consume(const algo::RowBatch& batch) override
    {
        std::visit(
            [&]<typename T>(std::span<const T> rows) {
                for (std::size_t i = 0; i < batch.sources.size(); ++i) {
                    const std::vector<double> expected = expected_.row(batch.sources[i]);
                    for (std::size_t v = 0; v < batch.columns; ++v) {
                        const T found = rows[i * batch.columns + v];
                        const double distance = found == unreached<T>() ? kInfinity : static_cast<double>(found);
                        const bool equal =
                            distance == expected[v] ||
                            (expected[v] < kInfinity && std::abs(distance - expected[v]) <= tolerance_ * expected[v]);
                        ASSERT_TRUE(equal)
                            << distance << " instead of " << expected[v] << " from " << batch.sources[i] << " to " << v;
                    }
                }
            },
            batch.distances);
        rows_ += batch.sources.size();
    }
    [[nodiscard]] std::size_t rows() const { return rows_; }

private:
    const Expected& expected_;
    double tolerance_;
    std::size_t rows_ = 0;
};

algo::Summary summary_of(algo::RowProducer& producer, const std::vector<Vertex>& sources,
                         std::vector<algo::RowConsumer*> consumers, bool whole)
{
    algo::Summary summary(sources.size(), whole);
    algo::RowLoop loop(producer, sources, algo::joined_ranges({{0, sources.size()}}), std::move(consumers), &summary);
    while (!loop.done()) loop.make_batch();
    return summary;
}

/// Compares the GPU's summary with the summary that is made from rows.
void expect_same(const algo::Summary& found, const algo::Summary& expected, bool whole)
{
    for (std::size_t i = 0; i < expected.rows().size(); ++i) {
        EXPECT_EQ(found.rows()[i].reached, expected.rows()[i].reached);
        EXPECT_EQ(found.rows()[i].eccentricity, expected.rows()[i].eccentricity);
        EXPECT_NEAR(
            found.rows()[i].sum, expected.rows()[i].sum,
            whole ? 0 : rounding_of_sums<double>(expected.rows()[i].reached) * std::abs(expected.rows()[i].sum));
    }
    EXPECT_EQ(found.histogram().exponent(), expected.histogram().exponent());
    const auto bins = [](std::span<const std::uint64_t> counts) {
        std::vector<std::uint64_t> all(counts.begin(), counts.end());
        all.resize(algo::DistanceHistogram::kBins);
        return all;
    };
    EXPECT_EQ(bins(found.histogram().counts()), bins(expected.histogram().counts()));
    EXPECT_EQ(bins(found.histogram().negative_counts()), bins(expected.histogram().negative_counts()));
}

DistributedGraph construct_alone(const EdgeFeed& feed)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    return construct(grid, feed);
}

bool searches_by_blocks(const RowMethod* method)
{
    return method == &RowMethod::block || method == &RowMethod::combined;
}

/// Whether the distances of searches by blocks are in device memory.
bool is_in_device_memory(const algo::RowProducer& searches)
{
    return searches.description().find("distances in device memory") != std::string::npos;
}

/// Checks an engine. The sources are all vertices if `all`, otherwise three vertices.
void check_with(const EdgeFeed& feed, const Expected& expected, RowEngineOptions options, bool all, double tolerance)
{
    const DistributedGraph graph = construct_alone(feed);
    options.row_buffer_bytes = std::size_t{1} << 20;
    if (options.method == &RowMethod::elimination) {
        options.elimination = std::make_shared<const algo::Elimination>(
            algo::eliminate(graph, {.pairs_a_vertex = 1e9, .height = 1 << 20}).value());
    }
    ASSERT_EQ(gpu::apsp::row_engine_obstacle(graph, options), "");
    std::vector<Vertex> sources(static_cast<std::size_t>(feed.vertex_count()));
    std::iota(sources.begin(), sources.end(), Vertex{0});
    if (!all) sources = {sources.back(), 0, feed.vertex_count() / 2};
    const auto producer = gpu::apsp::make_row_engine(graph, options);
    if (options.method == &RowMethod::block && options.shared_bytes > 0) {
        EXPECT_TRUE(is_in_device_memory(*producer));
    }
    Comparison comparison(expected, tolerance);
    const bool whole = is_whole(producer->type());
    const algo::Summary from_rows = summary_of(*producer, sources, {&comparison}, whole);
    EXPECT_EQ(comparison.rows(), sources.size());
    expect_same(summary_of(*producer, sources, {}, whole), from_rows, whole);
    options.rows = false;
    for (const std::size_t spare_bytes : {std::size_t{0}, std::size_t{1} << 30}) {
        options.spare_bytes = spare_bytes;
        options.sources = spare_bytes == 0 ? sources.size() : 0;  // 0: number of sources not known
        expect_same(summary_of(*gpu::apsp::make_row_engine(graph, options), sources, {}, whole), from_rows, whole);
        if (options.method != &RowMethod::bit_parallel) break;  // other methods do not use spare memory
    }
}

/// Checks an engine. Searches by blocks are also checked with distances in device memory.
void check(const EdgeFeed& feed, const Expected& expected, RowEngineOptions options, bool all = true,
           double tolerance = 0)
{
    check_with(feed, expected, options, all, tolerance);
    if (!searches_by_blocks(options.method)) return;
    options.shared_bytes = 1;
    check_with(feed, expected, options, all, tolerance);
}

template <typename W>
void check(const Graph<W>& graph, const RowEngineOptions& options, bool all = true, double tolerance = 0)
{
    check(ShareFeed<W>(graph, 0, 1), OracleRows<W>(graph), options, all, tolerance);
}

RowEngineOptions options_of(const RowMethod* method, DistanceType type, std::int64_t most_distance,
                            std::uint32_t batch_sources = 32)
{
    RowEngineOptions options;
    options.method = method;
    options.type = type;
    options.most_distance = static_cast<double>(most_distance);
    options.batch_sources = batch_sources;
    return options;
}

Graph<std::uint32_t> random_whole(std::int64_t n, std::int64_t degree, bool directed, std::int64_t least,
                                  std::int64_t most, std::uint64_t seed)
{
    return random_weighted_graph<std::uint32_t>(n, static_cast<std::size_t>(degree * n), directed, least, most, seed);
}

Graph<float> random_floats(std::int64_t n, std::int64_t degree)
{
    return random_weighted_graph<float>(n, static_cast<std::size_t>(degree * n), true, 0, 1000, 4);
}

const std::vector<std::int64_t> kSizes{1, 2, 31, 32, 33, 64, 129, 1000};

TEST_F(RowEngines, SearchesOfWholeWeights)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 1, 4, 20})
            for (const bool directed : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << n << " vertices of degree " << degree << (directed ? ", directed" : ""));
                const bool all = n < 1000 || degree == 4;
                for (const RowMethod* const method :
                     {&RowMethod::block, &RowMethod::push_pull, &RowMethod::combined, &RowMethod::elimination}) {
                    // In this graph, elimination would make nearly all pairs of vertices
                    // neighbours.
                    if (method == &RowMethod::elimination && degree * n > 4000) continue;
                    check<std::uint32_t>(random_whole(n, degree, directed, 0, 30, 1),
                                         options_of(method, DistanceType::uint16, 30 * n), all);
                    check<std::uint32_t>(random_whole(n, degree, directed, 1, n, 2),
                                         options_of(method, DistanceType::int32, 1000000), all);
                    check<std::uint32_t>(random_whole(n, degree, directed, 0, 1 << 20, 3),
                                         options_of(method, DistanceType::int32, 1000000000), all);
                }
            }
}

TEST_F(RowEngines, SearchesOfFloats)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 20})
            for (const RowMethod* const method : {&RowMethod::block, &RowMethod::push_pull})
                check<float>(random_floats(n, degree), options_of(method, DistanceType::float32, 0), n < 1000);
}

TEST_F(RowEngines, MethodsOfThePaper)
{
    struct Method
    {
        const RowMethod* method;
        std::uint32_t sources;
    };
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 40})
            for (const Method method : {Method{&RowMethod::batched, 32},
                                        {&RowMethod::batched, 128},
                                        {&RowMethod::batched_unshared, 64},
                                        {&RowMethod::iterated, 32}}) {
                SCOPED_TRACE(testing::Message()
                             << n << " vertices of degree " << degree << ", batches of " << method.sources);
                const auto options = [&](DistanceType type, std::int64_t most) {
                    return options_of(method.method, type, most, method.sources);
                };
                check<std::uint32_t>(random_whole(n, degree, true, 0, 30, 1), options(DistanceType::uint16, 30 * n),
                                     n < 1000);
                check<std::uint32_t>(random_whole(n, degree, false, 1, n, 2), options(DistanceType::int32, 1000000),
                                     n < 1000);
                check<float>(random_floats(n, degree), options(DistanceType::float32, 0), n < 129);
            }
}

TEST_F(RowEngines, FloydWarshall)
{
    for (const std::int64_t n : kSizes)
        for (const std::int64_t degree : {0, 4, 50}) {
            SCOPED_TRACE(testing::Message() << n << " vertices of degree " << degree);
            const bool all = n < 1000;
            const auto options = [](DistanceType type, std::int64_t most) {
                return options_of(&RowMethod::floyd_warshall, type, most);
            };
            check<std::uint32_t>(random_whole(n, degree, true, 0, 30, 5), options(DistanceType::uint16, 30000), all);
            check<std::uint32_t>(random_whole(n, degree, true, 0, 1 << 20, 6), options(DistanceType::int32, 2000000000),
                                 all);
            // Floyd-Warshall rounds sums along a path in another order.
            const double float_rounding = rounding_of_sums<float>(static_cast<std::size_t>(n));
            check<float>(random_floats(n, degree), options(DistanceType::float32, 0), all, float_rounding);
            for (const RowMethod* const method : {&RowMethod::floyd_warshall_steps, &RowMethod::floyd_warshall_tasks})
                check<std::uint32_t>(random_whole(n, degree, true, 0, 1 << 20, 6),
                                     options_of(method, DistanceType::int32, 2000000000), all);
            // These graphs have whole weights beyond 32 bits, weights of all types as float64, and
            // floats of 64 bits.
            const auto wide = random_weighted_graph<std::int64_t>(n, static_cast<std::size_t>(degree * n), true, 0,
                                                                  std::int64_t{1} << 40, 6);
            check<std::int64_t>(wide, options(DistanceType::float64, std::int64_t{1} << 50), all);
            check<std::uint32_t>(random_whole(n, degree, true, 0, 30, 5), options(DistanceType::float64, 30000), all);
            check<float>(random_floats(n, degree), options(DistanceType::float64, 0), all, float_rounding);
            const auto doubles =
                random_weighted_graph<double>(n, static_cast<std::size_t>(degree * n), true, 0, 1000, 4);
            check<double>(doubles, options(DistanceType::float64, 0), all,
                          rounding_of_sums<double>(static_cast<std::size_t>(n)));
        }
}

/// The rows for negative weights, which are made from heights of the vertices: the height that an
/// arc rises is added to its weight, so the height that a path rises is added to its length.
class OracleRowsWithHeights final : public Expected
{
public:
    OracleRowsWithHeights(const Graph<std::uint32_t>& graph, const std::vector<std::int64_t>& heights)
        : flat_(graph), heights_(heights)
    {
    }
    [[nodiscard]] std::vector<double> row(Vertex source) const override
    {
        std::vector<double> distances = flat_.row(source);
        for (std::size_t v = 0; v < distances.size(); ++v)
            distances[v] += static_cast<double>(heights_[v] - heights_[static_cast<std::size_t>(source)]);
        return distances;
    }

private:
    OracleRows<std::uint32_t> flat_;
    const std::vector<std::int64_t>& heights_;
};

TEST_F(RowEngines, FloydWarshallWithNegativeWeights)
{
    for (const std::int64_t n : {2, 33, 300}) {
        const Graph<std::uint32_t> flat = random_whole(n, 4, true, 0, 1000, 7);
        std::vector<std::int64_t> heights;
        for (std::int64_t v = 0; v < n; ++v) heights.push_back(v * 7919 % 2000);
        Graph<std::int64_t> risen{n, true, {}};
        for (const auto& edge : flat.edges)
            risen.edges.push_back({edge.source, edge.target,
                                   edge.weight + heights[static_cast<std::size_t>(edge.target)] -
                                       heights[static_cast<std::size_t>(edge.source)]});
        check(ShareFeed<std::int64_t>(risen, 0, 1), OracleRowsWithHeights(flat, heights),
              options_of(&RowMethod::floyd_warshall, DistanceType::int32, 1000000));
        // Sums of two distances exceed 32 bits.
        for (const DistanceType type : {DistanceType::int32, DistanceType::float64})
            check(ShareFeed<std::int64_t>(risen, 0, 1), OracleRowsWithHeights(flat, heights),
                  options_of(&RowMethod::floyd_warshall, type, 2000000000));
    }
}

/// Checks searches that count edges.
void check_hops(const Graph<std::uint32_t>& graph)
{
    EdgeList list;
    list.vertex_count = graph.vertices;
    list.directed = graph.directed;
    list.edges = HostBuffer<PackedEdge>(graph.edges.size());
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        list.edges[i] = PackedEdge::pack(graph.edges[i].source, graph.edges[i].target);
    check(ListFeed(list), OracleRows<std::uint32_t>(graph),
          options_of(&RowMethod::bit_parallel, DistanceType::uint16, graph.vertices));
}

TEST_F(RowEngines, Hops)
{
    for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 129, 1000, 1500})
        for (const std::int64_t degree : {0, 1, 3, 12})
            for (const bool directed : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << n << " vertices of degree " << degree << (directed ? ", directed" : ""));
                check_hops(random_whole(n, degree, directed, 1, 1, 9));
            }
    Graph<std::uint32_t> path{400, true, {}};  // more levels than the planes of the first launch can represent
    for (std::int64_t v = 0; v + 1 < path.vertices; ++v) path.edges.push_back({v, v + 1, 1});
    check_hops(path);
    // These graphs have long lists, several batches of targets, and vertices that are not reached.
    for (const bool directed : {false, true}) {
        Graph<std::uint32_t> hubs = random_whole(2500, 3, directed, 1, 1, 10);
        for (std::int64_t v = 3; v < 2300; ++v) hubs.edges.push_back({v % 3, v, 1});
        hubs.vertices += 5;
        check_hops(hubs);
    }
}

/// The shapes are a star in both directions, a complete graph, and a ring. They have hubs, and
/// lists of all lengths.
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
        for (const RowMethod* const method : {&RowMethod::elimination, &RowMethod::block, &RowMethod::push_pull,
                                              &RowMethod::combined, &RowMethod::floyd_warshall})
            check<std::uint32_t>(graph, options_of(method, DistanceType::int32, 1000000));
}

/// Arcs that are in no shortest path may have weights that the type of the distances cannot
/// represent, and lengths of other paths may exceed 32 bits.
TEST_F(RowEngines, HeavyArcs)
{
    for (const std::int64_t heavy : {std::int64_t{65535}, (std::int64_t{1} << 31) + 1, (std::int64_t{1} << 32) - 1}) {
        SCOPED_TRACE(heavy);
        Graph<std::uint32_t> graph{5, true, {}};
        for (std::int64_t v = 0; v < 4; ++v) graph.edges.push_back({v, v + 1, 16383});
        graph.edges.push_back({3, 0, 0});
        for (std::int64_t v = 2; v < 5; ++v) graph.edges.push_back({0, v, heavy});
        graph.edges.push_back({1, 4, heavy});
        for (const RowMethod* const method :
             {&RowMethod::elimination, &RowMethod::block, &RowMethod::push_pull, &RowMethod::combined,
              &RowMethod::floyd_warshall, &RowMethod::batched, &RowMethod::batched_unshared, &RowMethod::iterated})
            for (const DistanceType type : {DistanceType::uint16, DistanceType::int32})
                check<std::uint32_t>(graph, options_of(method, type, 65532));
    }
}

/// Some tentative distances exceed 2^31; a heavy arc must not be added to them.
TEST_F(RowEngines, HeavyArcsOfFarVertices)
{
    Graph<std::uint32_t> graph{6,
                               true,
                               {{0, 1, 900000000},
                                {0, 2, 2000000000},
                                {1, 4, 1280000000},
                                {2, 3, 1},
                                {3, 4, 1},
                                {3, 5, 5},
                                {4, 5, 2147483647}}};
    for (std::int64_t v = 1; v < 6; ++v) graph.edges.push_back({v, 0, 0});
    for (const RowMethod* const method : {&RowMethod::elimination, &RowMethod::block, &RowMethod::push_pull,
                                          &RowMethod::combined, &RowMethod::floyd_warshall})
        check<std::uint32_t>(graph, options_of(method, DistanceType::int32, 2000000006));
}

TEST_F(RowEngines, OneLongListForSanitizers)
{
    constexpr std::int64_t n = 4300;
    Graph<std::uint32_t> star{n, false, {}};
    for (std::int64_t v = 1; v < n; ++v) star.edges.push_back({0, v, 1 + v % 90});
    check<std::uint32_t>(star, options_of(&RowMethod::block, DistanceType::int32, 1000000), false);
}

TEST_F(RowEngines, OneSmallGraphForSanitizers)
{
    const Graph<std::uint32_t> graph = random_whole(200, 4, true, 0, 50, 7);
    for (const RowMethod* const method :
         {&RowMethod::elimination, &RowMethod::block, &RowMethod::push_pull, &RowMethod::combined,
          &RowMethod::floyd_warshall, &RowMethod::batched, &RowMethod::batched_unshared, &RowMethod::iterated})
        check<std::uint32_t>(graph, options_of(method, DistanceType::int32, 1000000));
    check_hops(random_whole(200, 4, true, 1, 1, 7));
}

/// There are more sources than concurrent searches.
TEST_F(RowEngines, PushPullForSanitizers)
{
    check<std::uint32_t>(random_whole(150, 6, false, 0, 50, 9),
                         options_of(&RowMethod::push_pull, DistanceType::int32, 1000000));
}

/// The search has many chunks of positions, several groups of sources, and distances in many bins.
TEST_F(RowEngines, EliminationOfALargeGrid)
{
    constexpr std::int64_t side = 100;
    Graph<std::uint32_t> grid{side * side + 3, false, {}};  // the last vertices have no edges
    for (std::int64_t i = 0; i < side * side; ++i) {
        if (i % side + 1 < side) grid.edges.push_back({i, i + 1, i * 7919 % 5000});
        if (i + side < side * side) grid.edges.push_back({i, i + side, i * 104729 % 5000});
    }
    const DistributedGraph graph = construct_alone(ShareFeed<std::uint32_t>(grid, 0, 1));
    RowEngineOptions options = options_of(&RowMethod::elimination, DistanceType::int32, 1000000000);
    check<std::uint32_t>(grid, options, false);
    // Summaries of all rows are compared with summaries of another engine's rows.
    std::vector<Vertex> sources(static_cast<std::size_t>(grid.vertices));
    std::iota(sources.begin(), sources.end(), Vertex{0});
    options.elimination =
        std::make_shared<const algo::Elimination>(algo::eliminate(graph, {.pairs_a_vertex = 1e9}).value());
    options.rows = false;
    const algo::Summary found = summary_of(*gpu::apsp::make_row_engine(graph, options), sources, {}, true);
    const RowEngineOptions searches = options_of(&RowMethod::block, DistanceType::int32, 1000000000);
    expect_same(found, summary_of(*gpu::apsp::make_row_engine(graph, searches), sources, {}, true), true);
}

/// The distances of these vertices fill most of a multiprocessor's shared memory, or do not fit
/// shared memory. Places have 16 bits, or more.
TEST_F(RowEngines, AsManyVerticesAsFitABlock)
{
    for (const std::int64_t n : {50000, 60000, 70000}) {
        const RowEngineOptions options = options_of(&RowMethod::block, DistanceType::int32, 1000000000);
        const Graph<std::uint32_t> graph = random_whole(n, 4, true, 1, 50000, 8);
        check<std::uint32_t>(graph, options, false);
        const DistributedGraph constructed = construct_alone(ShareFeed<std::uint32_t>(graph, 0, 1));
        EXPECT_EQ(is_in_device_memory(*gpu::apsp::make_row_engine(constructed, options)), n > 50000);
    }
}

/// In this graph, a block relaxes the arcs of some vertices together. Paths lead to one of these
/// vertices several times, at smaller and smaller distances.
TEST_F(RowEngines, ListsOfThousandsOfArcs)
{
    constexpr std::int64_t n = 4300;
    constexpr std::int64_t second = 1;
    Graph<std::uint32_t> graph{n, true, {}};
    for (std::int64_t v = 2; v < n; ++v) {
        graph.edges.push_back({0, v, 1 + v * 31 % 900});
        graph.edges.push_back({second, v, 1 + v * 17 % 700});
        if (v + 1 < n && v < 200) graph.edges.push_back({v, v + 1, 1});
        if (v < 200) graph.edges.push_back({v, second, 400 - 2 * v});
        graph.edges.push_back({v, v % 2, 1000 - v % 100});
    }
    for (const RowMethod* const method : {&RowMethod::block, &RowMethod::push_pull, &RowMethod::combined})
        check<std::uint32_t>(graph, options_of(method, DistanceType::int32, 1000000000), false);
    Graph<float> floats{n, true, {}};
    for (const auto& edge : graph.edges)
        floats.edges.push_back({edge.source, edge.target, static_cast<float>(edge.weight)});
    for (const RowMethod* const method : {&RowMethod::block, &RowMethod::push_pull})
        check<float>(floats, options_of(method, DistanceType::float32, 0), false);
}

TEST_F(RowEngines, ObstaclesAreNamed)
{
    const auto obstacle = [](const EdgeFeed& feed, const RowEngineOptions& options) {
        return gpu::apsp::row_engine_obstacle(construct_alone(feed), options);
    };
    const Graph<std::uint32_t> whole = random_whole(20, 3, true, 0, 50, 7);
    const Graph<float> floats = random_floats(20, 3);
    EXPECT_NE(
        obstacle(ShareFeed<std::uint32_t>(whole, 0, 1), options_of(&RowMethod::block, DistanceType::uint16, 65535)),
        "");
    EXPECT_NE(
        obstacle(ShareFeed<std::uint32_t>(whole, 0, 1), options_of(&RowMethod::block, DistanceType::float64, 100)), "");
    for (const RowMethod* const method : {&RowMethod::combined, &RowMethod::batched, &RowMethod::floyd_warshall_steps,
                                          &RowMethod::floyd_warshall_tasks})
        EXPECT_NE(obstacle(ShareFeed<std::uint32_t>(whole, 0, 1), options_of(method, DistanceType::float64, 100)), "");
    EXPECT_EQ(obstacle(ShareFeed<std::uint32_t>(whole, 0, 1),
                       options_of(&RowMethod::floyd_warshall, DistanceType::float64, 100)),
              "");
    const auto doubles = random_weighted_graph<double>(20, 60, true, 0, 1000, 4);
    for (const RowMethod* const method : {&RowMethod::block, &RowMethod::batched, &RowMethod::floyd_warshall_steps})
        EXPECT_NE(obstacle(ShareFeed<double>(doubles, 0, 1), options_of(method, DistanceType::float64, 0)), "");
    EXPECT_EQ(
        obstacle(ShareFeed<double>(doubles, 0, 1), options_of(&RowMethod::floyd_warshall, DistanceType::float64, 0)),
        "");
    EXPECT_NE(
        obstacle(ShareFeed<double>(doubles, 0, 1), options_of(&RowMethod::floyd_warshall, DistanceType::float32, 0)),
        "");
    EXPECT_NE(obstacle(ShareFeed<std::uint32_t>(whole, 0, 1),
                       options_of(&RowMethod::bit_parallel, DistanceType::uint16, 100)),
              "");
    EXPECT_NE(obstacle(ShareFeed<float>(floats, 0, 1), options_of(&RowMethod::combined, DistanceType::float32, 0)), "");
    EXPECT_NE(obstacle(ShareFeed<float>(floats, 0, 1), options_of(&RowMethod::block, DistanceType::int32, 0)), "");
    const Graph<std::uint32_t> large = random_whole(1000000, 2, true, 0, 5, 7);
    EXPECT_NE(
        obstacle(ShareFeed<std::uint32_t>(large, 0, 1), options_of(&RowMethod::block, DistanceType::int32, 100000)),
        "");
}

}  // namespace
}  // namespace wayfront
