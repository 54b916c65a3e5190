#include "row_engines_testing.hpp"

#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "algo/apsp/row_loop.hpp"
#include "graph/construction.hpp"
#include "graph/distances.hpp"
#include "support/roundings.hpp"

namespace wayfront {

namespace {

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

bool searches_by_blocks(const RowMethod* method)
{
    return method == &RowMethod::block || method == &RowMethod::combined;
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

}  // namespace

algo::Summary summary_of(algo::RowProducer& producer, const std::vector<Vertex>& sources,
                         std::vector<algo::RowConsumer*> consumers, bool whole)
{
    algo::Summary summary(sources.size(), whole);
    algo::RowLoop loop(producer, sources, algo::joined_ranges({{0, sources.size()}}), std::move(consumers), &summary);
    while (!loop.done()) loop.make_batch();
    return summary;
}

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

bool is_in_device_memory(const algo::RowProducer& searches)
{
    return searches.description().find("distances in device memory") != std::string::npos;
}

DistributedGraph construct_alone(const EdgeFeed& feed)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    return construct(grid, feed);
}

void check(const EdgeFeed& feed, const Expected& expected, RowEngineOptions options, bool all, double tolerance)
{
    check_with(feed, expected, options, all, tolerance);
    if (!searches_by_blocks(options.method)) return;
    options.shared_bytes = 1;
    check_with(feed, expected, options, all, tolerance);
}

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

RowEngineOptions options_of(const RowMethod* method, DistanceType type, std::int64_t most_distance,
                            std::uint32_t batch_sources)
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

}  // namespace wayfront
