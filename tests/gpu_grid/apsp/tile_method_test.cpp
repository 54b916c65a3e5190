// Compares Floyd-Warshall on tiles that ranks share, each on a GPU, with Dijkstra's algorithm: on
// every grid, in device memory and out of core, with panels from GPU to GPU and through the hosts.
#include "gpu/apsp/matrix/tile_method.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/matrix_checkpoints.hpp"
#include "algo/apsp/summary.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "graph/distances.hpp"
#include "support/gpu_guard.hpp"
#include "support/roundings.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

using algo::DistanceType;
using gpu::apsp::MinPlusSums;
using gpu::apsp::PanelTransport;
using gpu::apsp::TileMethodOptions;

constexpr double kFar = std::numeric_limits<double>::infinity();

class TileMethodTest : public GridTest
{
protected:
    void SetUp() override
    {
        require_gpu(world.split_by_host().rank());
        if (IsSkipped()) return;
        // Ranks may share a GPU, since no kernel of one rank waits for a kernel of another rank.
        if (ranks > 1 && gpu::peer_obstacle(world, gpu::GpuSharing::allowed).empty())
            transports_.push_back(PanelTransport::peers);
    }

    template <typename W>
    static DistributedGraph construct_alone(const oracle::WeightedGraph<OracleWeight<W>>& graph)
    {
        static const comm::Communicator alone = comm::Communicator::alone();
        static const comm::ProcessGrid grid(alone, {1, 1});
        return construct(grid, ShareFeed<W>(graph, 0, 1));
    }

    /// The transports over which these ranks can exchange panels.
    [[nodiscard]] const std::vector<PanelTransport>& transports() const { return transports_; }

    /// The vertices of each rank's wanted rows: rank v % ranks wants the row of vertex v. The last
    /// rows come first.
    [[nodiscard]] std::vector<std::vector<Vertex>> scattered(std::int64_t vertices) const
    {
        std::vector<std::vector<Vertex>> wanted(static_cast<std::size_t>(ranks));
        for (std::int64_t v = vertices; v-- > 0;) wanted[static_cast<std::size_t>(v % ranks)].push_back(v);
        return wanted;
    }

    /// Compares the rows that this rank gets with the oracle's. `heights`: heights of the vertices,
    /// if weights are negative because arcs rise or fall.
    template <typename W>
    void compare(algo::MatrixMethod& method, const oracle::WeightedGraph<OracleWeight<W>>& graph,
                 const std::vector<std::int64_t>& heights = {}) const
    {
        const std::vector<Vertex> own = scattered(graph.vertices)[static_cast<std::size_t>(rank)];
        for (const Vertex source : own) {
            const auto expected = oracle::dijkstra(graph, source);
            const algo::RowBatch batch = method.rows(static_cast<std::size_t>(source), 1);
            std::visit(
                [&]<typename T>(std::span<const T> found) {
                    for (std::size_t v = 0; v < expected.size(); ++v) {
                        const double distance = found[v] == unreached<T>() ? kFar : static_cast<double>(found[v]);
                        double right = expected[v] == oracle::infinity<OracleWeight<W>>()
                                           ? kFar
                                           : static_cast<double>(expected[v]);
                        if (!heights.empty())
                            right += static_cast<double>(heights[v] - heights[static_cast<std::size_t>(source)]);
                        ASSERT_EQ(distance, right) << "from " << source << " to " << v;
                    }
                },
                batch.distances);
        }
    }

    /// Calls f(ranks that share the matrix, options) for each grid and each exchange of panels, in
    /// device memory and out of core.
    template <typename F>
    void for_each_transport(std::int64_t vertices, DistanceType type, MinPlusSums sums, F&& f)
    {
        for (const comm::GridShape shape : shapes_of(ranks))
            for (const PanelTransport transport : transports_)
                for (const bool out_of_core : {false, true}) {
                    // In device memory, a tile has one piece. Out of core, a tile has several
                    // pieces, and strips have one row of pieces.
                    SCOPED_TRACE(testing::Message()
                                 << vertices << " vertices, " << to_text(shape) << ", sums " << static_cast<int>(sums)
                                 << (out_of_core ? ", out of core" : "") << ", panels " << in_words(transport));
                    const std::size_t tile = sums == MinPlusSums::shorts || out_of_core ? 256 : 128;
                    f(algo::MatrixRanks{std::make_unique<comm::ProcessGrid>(world, shape), scattered(vertices)},
                      TileMethodOptions{type, sums, out_of_core, tile, 1, transport, nullptr});
                }
    }

    /// The vertices of each rank's rows in an R x 1 grid, in which each rank has whole rows in its
    /// own tiles.
    [[nodiscard]] std::vector<std::vector<Vertex>> of_own_tiles(std::int64_t vertices, std::size_t tile) const
    {
        std::vector<std::vector<Vertex>> wanted(static_cast<std::size_t>(ranks));
        for (Vertex v = 0; v < vertices; ++v) wanted[static_cast<std::size_t>(v) / tile % wanted.size()].push_back(v);
        return wanted;
    }

    template <typename W>
    void check(const oracle::WeightedGraph<OracleWeight<W>>& graph, DistanceType type, MinPlusSums sums)
    {
        const DistributedGraph constructed = construct_alone<W>(graph);
        for_each_transport(graph.vertices, type, sums, [&](algo::MatrixRanks shares, const TileMethodOptions& options) {
            const auto method = gpu::apsp::make_tile_method(constructed, options, std::move(shares));
            method->run(nullptr);
            compare<W>(*method, graph);
        });
    }

private:
    std::vector<PanelTransport> transports_{PanelTransport::hosts};
};

TEST_F(TileMethodTest, WholeWeights)
{
    for (const std::int64_t n : {1, 100, 129, 300, 700}) {
        const auto graph = random_weighted_graph<std::uint32_t>(n, static_cast<std::size_t>(4 * n), true, 0, 30, 3);
        check<std::uint32_t>(graph, DistanceType::int32, MinPlusSums::unsigned_wholes);
        check<std::uint32_t>(graph, DistanceType::uint16, MinPlusSums::shorts);
        check<std::uint32_t>(graph, DistanceType::int32, MinPlusSums::doubles);
        auto wide = graph;  // distances exceed 32 bits
        for (auto& edge : wide.edges) edge.weight <<= 33;
        check<std::int64_t>(wide, DistanceType::float64, MinPlusSums::doubles);
    }
}

/// The matrix has many steps, so that the two sets of panels change often. Its number of tiles is
/// not a multiple of any number of ranks.
TEST_F(TileMethodTest, ManySteps)
{
    const auto graph = random_weighted_graph<std::uint32_t>(1700, 6800, true, 0, 30, 5);
    check<std::uint32_t>(graph, DistanceType::int32, MinPlusSums::unsigned_wholes);
    check<std::uint32_t>(graph, DistanceType::float64, MinPlusSums::doubles);
}

/// Each rank needs a GPU of its own.
TEST_F(TileMethodTest, PanelsOverNccl)
{
    if (ranks == 1) GTEST_SKIP() << "one rank sends no panels";
    const gpu::NcclConnection nccl = gpu::connect_nccl(world);
    if (nccl.ranks == nullptr) GTEST_SKIP() << nccl.obstacle;
    const auto graph = random_weighted_graph<std::uint32_t>(1100, 4400, true, 0, 30, 6);
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph);
    const auto run = [&](const comm::GridShape& shape, DistanceType type, MinPlusSums sums) {
        SCOPED_TRACE(to_text(shape));
        const auto method =
            gpu::apsp::make_tile_method(constructed, {type, sums, false, 128, 0, PanelTransport::nccl, nccl.ranks},
                                        {std::make_unique<comm::ProcessGrid>(world, shape), scattered(graph.vertices)});
        method->run(nullptr);
        compare<std::uint32_t>(*method, graph);
    };
    for (const comm::GridShape shape : shapes_of(ranks)) {
        run(shape, DistanceType::int32, MinPlusSums::unsigned_wholes);
        run(shape, DistanceType::float64, MinPlusSums::doubles);
    }
}

/// Ranks that want the rows of their own tiles do not gather rows, and summarise the rows on the
/// GPU unless the matrix is out of core.
TEST_F(TileMethodTest, WholeRowsStayOnTheirRanks)
{
    const auto whole = random_weighted_graph<std::uint32_t>(700, 1400, true, 0, 30, 8);
    const auto real = random_weighted_graph<float>(700, 2800, true, 0, 1, 9);
    const auto run = [&]<typename W>(const oracle::WeightedGraph<OracleWeight<W>>& graph, DistanceType type,
                                     MinPlusSums sums, std::size_t tile) {
        const DistributedGraph constructed = construct_alone<W>(graph);
        for (const PanelTransport transport : transports())
            for (const bool out_of_core : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << "sums " << static_cast<int>(sums) << (out_of_core ? ", out of core" : "") << ", panels "
                             << in_words(transport));
                const std::vector<std::vector<Vertex>> wanted = of_own_tiles(graph.vertices, tile);
                const auto method = gpu::apsp::make_tile_method(
                    constructed, {type, sums, out_of_core, tile, 1, transport, nullptr},
                    {std::make_unique<comm::ProcessGrid>(world, comm::GridShape{ranks, 1}), wanted});
                method->run(nullptr);
                const std::vector<Vertex>& own = wanted[static_cast<std::size_t>(rank)];
                algo::Summary expected(own.size(), is_whole(type));
                for (std::size_t i = 0; i < own.size(); ++i) {
                    algo::RowBatch row = method->rows(static_cast<std::size_t>(own[i]), 1);
                    row.first = i;
                    row.sources = std::span(own).subspan(i, 1);
                    expected.consume(row);
                }
                algo::Summary found(own.size(), is_whole(type));
                for (std::size_t first = 0; first < own.size();) {
                    const std::size_t count = std::min<std::size_t>(100, own.size() - first);
                    const bool on_the_gpu = method->summarise(first, std::span(own).subspan(first, count), found);
                    ASSERT_EQ(on_the_gpu, !out_of_core);
                    if (!on_the_gpu) break;
                    first += count;
                }
                if constexpr (std::is_same_v<W, std::uint32_t>) {
                    for (const Vertex source : own) {
                        const auto distances = oracle::dijkstra(graph, source);
                        const algo::RowBatch row = method->rows(static_cast<std::size_t>(source), 1);
                        std::visit(
                            [&]<typename T>(std::span<const T> given) {
                                for (std::size_t v = 0; v < distances.size(); ++v) {
                                    const bool reached = distances[v] != oracle::infinity<OracleWeight<W>>();
                                    ASSERT_EQ(given[v], reached ? static_cast<T>(distances[v]) : unreached<T>())
                                        << "from " << source << " to " << v;
                                }
                            },
                            row.distances);
                    }
                }
                if (out_of_core) continue;
                for (std::size_t i = 0; i < own.size(); ++i) {
                    EXPECT_EQ(found.rows()[i].reached, expected.rows()[i].reached);
                    EXPECT_EQ(found.rows()[i].eccentricity, expected.rows()[i].eccentricity);
                    EXPECT_NEAR(found.rows()[i].sum, expected.rows()[i].sum,
                                rounding_of_sums<double>(expected.rows()[i].reached) * expected.rows()[i].sum);
                }
                EXPECT_TRUE(std::ranges::equal(found.histogram().counts(), expected.histogram().counts()));
            }
    };
    run.operator()<std::uint32_t>(whole, DistanceType::int32, MinPlusSums::unsigned_wholes, 128);
    run.operator()<std::uint32_t>(whole, DistanceType::uint16, MinPlusSums::unsigned_wholes, 128);
    run.operator()<std::uint32_t>(whole, DistanceType::uint16, MinPlusSums::shorts, 256);
    run.operator()<std::uint32_t>(whole, DistanceType::int32, MinPlusSums::doubles, 128);
    run.operator()<std::uint32_t>(whole, DistanceType::float64, MinPlusSums::doubles, 256);
    run.operator()<float>(real, DistanceType::float32, MinPlusSums::unsigned_floats, 128);
    run.operator()<float>(real, DistanceType::float64, MinPlusSums::doubles, 128);
}

/// Weights are whole numbers, so that sums are exact.
TEST_F(TileMethodTest, Floats)
{
    auto graph = random_weighted_graph<float>(300, 1200, true, 0, 1000, 4);
    for (auto& edge : graph.edges) edge.weight *= 1001;
    for (auto& edge : graph.edges) edge.weight = static_cast<float>(static_cast<int>(edge.weight));
    check<float>(graph, DistanceType::float32, MinPlusSums::unsigned_floats);
    check<float>(graph, DistanceType::float32, MinPlusSums::floats);
    oracle::WeightedGraph<double> fine{graph.vertices, graph.directed, {}};  // with more digits than a float
    for (const auto& edge : graph.edges) fine.edges.push_back({edge.source, edge.target, edge.weight + 0x1p-30});
    check<double>(fine, DistanceType::float64, MinPlusSums::doubles);
}

TEST_F(TileMethodTest, NegativeWeights)
{
    const auto flat = random_weighted_graph<std::uint32_t>(300, 1500, true, 0, 1000, 7);
    std::vector<std::int64_t> heights;
    for (std::int64_t v = 0; v < flat.vertices; ++v) heights.push_back(v * 7919 % 2000);
    oracle::WeightedGraph<std::int64_t> risen{flat.vertices, true, {}};
    for (const auto& edge : flat.edges)
        risen.edges.push_back({edge.source, edge.target,
                               edge.weight + heights[static_cast<std::size_t>(edge.target)] -
                                   heights[static_cast<std::size_t>(edge.source)]});
    const DistributedGraph constructed = construct_alone<std::int64_t>(risen);
    for (const auto& [type, sums] :
         {std::pair(DistanceType::int32, MinPlusSums::wholes), std::pair(DistanceType::int32, MinPlusSums::doubles),
          std::pair(DistanceType::float64, MinPlusSums::doubles)})
        for_each_transport(flat.vertices, type, sums, [&](algo::MatrixRanks shares, const TileMethodOptions& options) {
            const auto method = gpu::apsp::make_tile_method(constructed, options, std::move(shares));
            method->run(nullptr);
            compare<std::uint32_t>(*method, flat, heights);
        });
}

/// Keeps copies of this rank's tiles in host memory.
class KeptTiles final : public algo::MatrixCheckpoints
{
public:
    /// Keeps tiles after each step, or after every second step, so that the other steps look ahead.
    KeptTiles(std::size_t stop_after, bool each_step) : stop_after_(stop_after), each_step_(each_step) {}

    [[nodiscard]] std::size_t steps() const { return steps_; }

    [[nodiscard]] std::size_t restore(algo::TileEngine& engine) override
    {
        for_each_tile(engine, [&](std::size_t row, std::size_t column, std::size_t place) {
            if (steps_ > 0) engine.restore_tile(row, column, {tiles_[place], {}});
        });
        return steps_;
    }
    [[nodiscard]] bool due() override { return each_step_ || ++asked_ % 2 == 0; }
    void save(algo::TileEngine& engine, std::size_t steps) override
    {
        if (steps > stop_after_) return;
        steps_ = steps;
        tiles_.clear();
        for_each_tile(engine, [&](std::size_t row, std::size_t column, std::size_t /*place*/) {
            tiles_.emplace_back(engine.tile_bytes().distances);
            engine.save_tile(row, column, {tiles_.back(), {}});
        });
    }

private:
    template <typename F>
    static void for_each_tile(const algo::TileEngine& engine, F&& f)
    {
        std::size_t place = 0;
        for (std::size_t row = 0; row < engine.tiles().tiles; ++row)
            for (std::size_t column = 0; column < engine.tiles().tiles; ++column)
                if (engine.tiles().has_row(row) && engine.tiles().has_column(column)) f(row, column, place++);
    }

    std::size_t stop_after_;
    bool each_step_;
    std::size_t asked_ = 0;
    std::size_t steps_ = 0;
    std::vector<std::vector<std::byte>> tiles_;
};

TEST_F(TileMethodTest, GoesOnFromSavedTiles)
{
    const auto graph = random_weighted_graph<std::uint32_t>(700, 2800, true, 0, 30, 3);
    const DistributedGraph constructed = construct_alone<std::uint32_t>(graph);
    const auto check_saving = [&](bool each_step, DistanceType type, MinPlusSums sums) {
        std::vector<std::unique_ptr<KeptTiles>> of_transport;
        for (int run = 0; run < 2; ++run) {
            std::size_t transport = 0;
            for_each_transport(
                graph.vertices, type, sums, [&](algo::MatrixRanks shares, const TileMethodOptions& options) {
                    if (run == 0) of_transport.push_back(std::make_unique<KeptTiles>(2, each_step));
                    KeptTiles& kept = *of_transport[transport++];
                    ASSERT_EQ(kept.steps(), run == 0 ? 0U : 2U);
                    const auto method = gpu::apsp::make_tile_method(constructed, options, std::move(shares));
                    method->save_to(kept);
                    method->run(nullptr);
                    compare<std::uint32_t>(*method, graph);
                });
        }
    };
    for (const bool each_step : {true, false}) {
        check_saving(each_step, DistanceType::int32, MinPlusSums::unsigned_wholes);
        check_saving(each_step, DistanceType::float64, MinPlusSums::doubles);
    }
}

}  // namespace
}  // namespace wayfront
