// Compares all pairs of many graphs on a GPU with Dijkstra's algorithm, and tests the division of
// graphs into batches.
#include "gpu/apsp/bulk/bulk_engine.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/apsp/bulk/bulk_batches.hpp"
#include "graph/construction.hpp"
#include "graph/distances.hpp"
#include "oracle/dijkstra.hpp"
#include "support/gpu_guard.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

using algo::DistanceType;
using gpu::apsp::BulkBatch;
using gpu::apsp::BulkMatrix;
using gpu::apsp::MinPlusSums;

constexpr std::size_t kUnlimited = std::size_t{1} << 40;

/// The number of vertices of each matrix in each batch.
std::vector<std::vector<std::uint32_t>> sizes_of(const std::vector<BulkMatrix>& matrices,
                                                 const gpu::apsp::BulkLimits& limits)
{
    std::vector<std::vector<std::uint32_t>> sizes;
    std::size_t total = 0;
    for (const BulkBatch& batch : divide_into_batches(matrices, limits)) {
        sizes.emplace_back();
        for (const std::size_t i : batch.matrices) {
            EXPECT_EQ(matrices[i].type, batch.type);
            EXPECT_EQ(matrices[i].sums, batch.sums);
            EXPECT_LE(matrices[i].vertices, batch.vertices);
            sizes.back().push_back(matrices[i].vertices);
        }
        EXPECT_EQ(sizes.back().front(), batch.vertices);
        total += batch.matrices.size();
    }
    EXPECT_EQ(total, matrices.size());
    return sizes;
}

TEST(BulkBatches, MatricesOfNearlyEqualSize)
{
    std::vector<BulkMatrix> matrices;
    for (const std::uint32_t n : {3U, 900U, 64U, 65U, 1000U, 128U, 700U, 2000U, 1U})
        matrices.push_back({n, 10, DistanceType::int32, MinPlusSums::unsigned_wholes});
    using Sizes = std::vector<std::vector<std::uint32_t>>;
    EXPECT_EQ(sizes_of(matrices, {kUnlimited, kUnlimited, 100}),
              (Sizes{{2000}, {1000, 900}, {700}, {128, 65}, {64, 3, 1}}));
    EXPECT_EQ(sizes_of(matrices, {kUnlimited, kUnlimited, 1}).size(), matrices.size());
    EXPECT_EQ(sizes_of(matrices, {1, 1, 100}).size(), matrices.size());
    // 1900 rows of 1000 distances do not fit this limit.
    EXPECT_EQ(sizes_of(matrices, {kUnlimited, std::size_t{4} * 1000 * 1899, 100}).size(), 6U);
    matrices[2].type = DistanceType::float32;
    matrices[4].sums = MinPlusSums::wholes;
    EXPECT_EQ(sizes_of(matrices, {kUnlimited, kUnlimited, 100}),
              (Sizes{{2000}, {900}, {700}, {128, 65}, {3, 1}, {1000}, {64}}));
    EXPECT_TRUE(sizes_of({}, {1, 1, 1}).empty());
}

TEST(BulkBatches, ShortDistancesIfTheMatrixIsNotLarger)
{
    EXPECT_EQ(gpu::apsp::sums_of_many(MinPlusSums::shorts, 64), MinPlusSums::unsigned_wholes);
    EXPECT_EQ(gpu::apsp::sums_of_many(MinPlusSums::shorts, 128), MinPlusSums::unsigned_wholes);
    EXPECT_EQ(gpu::apsp::sums_of_many(MinPlusSums::shorts, 200), MinPlusSums::shorts);
    EXPECT_EQ(gpu::apsp::sums_of_many(MinPlusSums::floats, 64), MinPlusSums::floats);
    EXPECT_EQ(gpu::apsp::sums_of_many(MinPlusSums::doubles, 64), MinPlusSums::doubles);
}

class BulkOnGpu : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

template <typename W>
using Graph = oracle::WeightedGraph<OracleWeight<W>>;

DistributedGraph construct_alone(const EdgeFeed& feed)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    return construct(grid, feed);
}

/// A graph with its task. The consumer checks each row.
class CheckedGraph final : public algo::RowConsumer
{
public:
    CheckedGraph(DistributedGraph graph, DistanceType type, std::vector<Vertex> sources,
                 std::vector<std::vector<double>> expected)
        : constructed_(std::move(graph)), type_(type), sources_(std::move(sources)), expected_(std::move(expected))
    {
    }

    /// Makes consume() throw, as if a result could not be written.
    void fail() { fails_ = true; }
    void consume(const algo::RowBatch& batch) override
    {
        if (fails_) throw std::runtime_error("no space");
        ASSERT_EQ(batch.columns, constructed_.slot_of_local.size());
        std::visit(
            [&]<typename T>(std::span<const T> rows) {
                for (std::size_t i = 0; i < batch.sources.size(); ++i) {
                    EXPECT_EQ(batch.sources[i], sources_[batch.first + i]);
                    for (std::size_t v = 0; v < batch.columns; ++v) {
                        const T found = rows[i * batch.columns + v];
                        const double distance = found == unreached<T>() ? std::numeric_limits<double>::infinity()
                                                                        : static_cast<double>(found);
                        ASSERT_EQ(distance, expected_[batch.first + i][v])
                            << "from " << batch.sources[i] << " to " << v;
                    }
                    ++rows_;
                }
            },
            batch.distances);
    }
    [[nodiscard]] algo::BulkTask task()
    {
        return {.graph = &constructed_,
                .sources = sources_,
                .type = type_,
                .most_distance = 310 * 50,
                .matrix = true,
                .make_rows = []() -> std::unique_ptr<algo::RowProducer> { throw std::logic_error("alone"); },
                .complete = {},
                .consumers = {this},
                .summary = nullptr,
                .finish = [this] { finished_ = true; }};
    }
    void expect_done() const
    {
        EXPECT_EQ(rows_, sources_.size());
        EXPECT_TRUE(finished_);
    }
    [[nodiscard]] bool finished() const { return finished_; }

private:
    DistributedGraph constructed_;
    DistanceType type_;
    std::vector<Vertex> sources_;
    std::vector<std::vector<double>> expected_;
    std::size_t rows_ = 0;
    bool fails_ = false;
    bool finished_ = false;
};

template <typename W>
std::unique_ptr<CheckedGraph> checked(const Graph<W>& graph, DistanceType type, std::vector<Vertex> sources)
{
    std::vector<std::vector<double>> expected;
    for (const Vertex source : sources) {
        auto& row = expected.emplace_back();
        for (const auto distance : oracle::dijkstra(graph, source))
            row.push_back(distance == oracle::infinity<OracleWeight<W>>() ? std::numeric_limits<double>::infinity()
                                                                          : static_cast<double>(distance));
    }
    return std::make_unique<CheckedGraph>(construct_alone(ShareFeed<W>(graph, 0, 1)), type, std::move(sources),
                                          std::move(expected));
}

std::vector<Vertex> all_of(Vertex vertices)
{
    std::vector<Vertex> sources(static_cast<std::size_t>(vertices));
    std::iota(sources.begin(), sources.end(), Vertex{0});
    return sources;
}

TEST_F(BulkOnGpu, SizesAndTypes)
{
    std::vector<std::unique_ptr<CheckedGraph>> graphs;
    for (const Vertex n : {1, 2, 31, 63, 64, 65, 100, 128, 129, 200, 256, 300, 310}) {
        const auto whole = random_weighted_graph<std::uint32_t>(n, static_cast<std::size_t>(3 * n), n % 2 == 0, 0, 50,
                                                                static_cast<std::uint64_t>(n));
        auto floats = random_weighted_graph<float>(n, static_cast<std::size_t>(3 * n), true, 0, 50,
                                                   static_cast<std::uint64_t>(n));
        // Weights are whole numbers as floats, so that sums are the same in any order.
        for (auto& edge : floats.edges) edge.weight = std::floor(edge.weight * 50);
        graphs.push_back(checked<std::uint32_t>(whole, DistanceType::uint16, all_of(n)));
        graphs.push_back(checked<std::uint32_t>(whole, DistanceType::int32, all_of(n)));
        graphs.push_back(checked<float>(floats, DistanceType::float32, all_of(n)));
        auto wide = whole;  // distances exceed 32 bits
        for (auto& edge : wide.edges) edge.weight <<= 33;
        graphs.push_back(checked<std::int64_t>(wide, DistanceType::float64, all_of(n)));
        auto doubles = random_weighted_graph<double>(n, static_cast<std::size_t>(3 * n), true, 0, 50,
                                                     static_cast<std::uint64_t>(n));
        for (auto& edge : doubles.edges) edge.weight = std::ldexp(std::floor(edge.weight * 50), -30);
        graphs.push_back(checked<double>(doubles, DistanceType::float64, all_of(n)));
        graphs.push_back(checked<std::uint32_t>(whole, DistanceType::int32, std::vector<Vertex>{n - 1, 0, n / 2}));
    }
    // The first run has few batches, the second one many.
    for (const std::size_t device_bytes :
         {kUnlimited,
          gpu::apsp::bulk_device_bytes({310, 10000, DistanceType::int32, MinPlusSums::unsigned_wholes}, 310)}) {
        std::vector<algo::BulkTask> tasks;
        for (const auto& graph : graphs) tasks.push_back(graph->task());
        const auto engine = gpu::apsp::make_bulk_engine(device_bytes);
        for (const std::exception_ptr& failure : engine->run(tasks))
            if (failure) std::rethrow_exception(failure);
    }
}

TEST_F(BulkOnGpu, GraphsThatFailAndGraphsByThemselves)
{
    std::vector<std::unique_ptr<CheckedGraph>> graphs;
    for (int i = 0; i < 3; ++i)
        graphs.push_back(checked<std::uint32_t>(random_weighted_graph<std::uint32_t>(40, 100, true, 1, 9, 1),
                                                DistanceType::int32, all_of(40)));
    graphs[1]->fail();
    std::vector<algo::BulkTask> tasks;
    for (const auto& graph : graphs) tasks.push_back(graph->task());
    tasks.push_back(graphs[0]->task());
    tasks.back().matrix = false;
    const std::vector<std::exception_ptr> failures = gpu::apsp::make_bulk_engine(kUnlimited)->run(tasks);
    ASSERT_EQ(failures.size(), 4U);
    EXPECT_FALSE(failures[0]);
    EXPECT_THROW(std::rethrow_exception(failures[1]), std::runtime_error);
    EXPECT_FALSE(graphs[1]->finished());
    EXPECT_FALSE(failures[2]);
    EXPECT_THROW(std::rethrow_exception(failures[3]), std::logic_error);  // make_rows was called for this graph
    graphs[0]->expect_done();
    graphs[2]->expect_done();
    EXPECT_THROW(std::rethrow_exception(gpu::apsp::make_bulk_engine(1)->run(std::span(tasks).first(1))[0]),
                 std::logic_error);
}

}  // namespace
}  // namespace wayfront
