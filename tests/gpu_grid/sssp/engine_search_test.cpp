// Compares searches for shortest paths over several ranks that share the available GPUs, on every
// grid, with Dijkstra's algorithm on one thread. Ranks on one GPU run in turn, for milliseconds
// each, in every round, and therefore search fewer graphs.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "gpu/exchange/grid_exchange.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/sssp/grid/steps.hpp"
#include "support/gpu_guard.hpp"
#include "support/grid_sssp_testing.hpp"

namespace wayfront::algo {
namespace {

using gpu::DeviceExchange;
using gpu::ExchangeMethod;

/// The exchanges of the ranks over their grids, each made once for all tests: staged through the
/// hosts, and over NCCL, or over the peers' memory if NCCL cannot connect the ranks.
class Exchanges
{
public:
    [[nodiscard]] gpu::GridExchange over(const comm::ProcessGrid& grid, bool staged)
    {
        std::unique_ptr<OfGrid>& one = made_[{grid.shape().rows, staged}];
        if (one == nullptr) one = std::make_unique<OfGrid>(grid, staged);
        return {*one->row, *one->column};
    }

private:
    struct OfGrid
    {
        OfGrid(const comm::ProcessGrid& shape_of, bool staged) : grid(shape_of.world(), shape_of.shape())
        {
            gpu::NcclConnection of_row;
            gpu::NcclConnection of_column;
            if (!staged) {
                of_row = gpu::connect_nccl(grid.row());
                of_column = gpu::connect_nccl(grid.column());
            }
            const bool connected = grid.world().all(of_row.obstacle.empty() && of_column.obstacle.empty());
            const ExchangeMethod method = staged      ? ExchangeMethod::staged
                                          : connected ? ExchangeMethod::nccl
                                                      : ExchangeMethod::peers;
            row = std::make_unique<DeviceExchange>(grid.row(), method, of_row.ranks);
            column = std::make_unique<DeviceExchange>(grid.column(), method, of_column.ranks);
        }

        comm::ProcessGrid grid;
        std::unique_ptr<DeviceExchange> row, column;
    };

    // Key: number of the grid's rows, and whether the exchange is staged.
    std::map<std::pair<int, bool>, std::unique_ptr<OfGrid>> made_;
};

class GpuGridSssp : public GridSsspTest
{
protected:
    GpuGridSssp() : GridSsspTest(on_gpus(true), on_gpus(false)) {}

    static void SetUpTestSuite() { exchanges_ = std::make_unique<Exchanges>(); }
    static void TearDownTestSuite() { exchanges_.reset(); }

    static GridSsspMaker on_gpus(bool staged)
    {
        return [staged](const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspOptions& options) {
            const gpu::GridExchange exchange = exchanges_->over(grid, staged);
            return make_grid_sssp(grid, graph, options,
                                  SsspStepsMaker([&graph, exchange](SsspMethod method, bool narrow) {
                                      return gpu::sssp::make_grid_steps(graph, exchange, method, narrow);
                                  }));
        };
    }

    void SetUp() override
    {
        require_gpu(world.split_by_host().rank());
        if (gpu::device_count() > 0) take_turns_ = gpu::ranks_share_gpus(world);
    }

    [[nodiscard]] bool take_turns() const { return take_turns_; }
    /// The number of graphs in a test.
    [[nodiscard]] int few() const { return ranks == 1 ? 16 : take_turns_ ? 1 : 6; }

    /// A graph whose vertices have very different degrees.
    template <typename W>
    static oracle::WeightedGraph<OracleWeight<W>> skewed_graph(std::uint32_t vertices, std::uint32_t edges,
                                                               bool directed)
    {
        oracle::WeightedGraph<OracleWeight<W>> graph{vertices, directed, {}};
        RandomNumbers random(7);
        const auto vertex = [&] {
            return static_cast<std::int64_t>(std::uint64_t{random.below(vertices)} * random.below(vertices) / vertices);
        };
        for (std::uint32_t i = 0; i < edges; ++i) {
            auto weight = static_cast<OracleWeight<W>>(random.below(1 << 24));
            if constexpr (std::is_floating_point_v<W>) weight *= static_cast<W>(0x1p-24);
            graph.edges.push_back({vertex(), vertex(), weight});
        }
        return graph;
    }

    /// Checks negative weights without negative cycles, as floating-point numbers whose sums are
    /// exact.
    template <typename W>
    void check_floats_below_zero();

private:
    static std::unique_ptr<Exchanges> exchanges_;
    bool take_turns_ = false;
};

std::unique_ptr<Exchanges> GpuGridSssp::exchanges_;

TEST_F(GpuGridSssp, WholeWeights)
{
    check_random<std::uint32_t>(1, 20, 1, few());
}

TEST_F(GpuGridSssp, ZeroWeights)
{
    check_random<std::uint32_t>(0, 2, 101, few());
    check_random<float>(0, 1, 151, few());
    check_random<std::int64_t>(0, 1, 171, few());
}

TEST_F(GpuGridSssp, LargestWholeWeights)
{
    check_random<std::uint32_t>(4294967200, 4294967295, 201, few());
    check_random<std::uint32_t>(1 << 26, 1 << 28, 271, few());
}

TEST_F(GpuGridSssp, WideWholeWeights)
{
    check_random<std::int64_t>(0, std::int64_t{1} << 50, 301, few());
}

TEST_F(GpuGridSssp, Floats)
{
    check_random<float>(0, 1 << 24, 401, few());
    check_random<double>(0, 1 << 30, 451, few());
}

TEST_F(GpuGridSssp, ShapesAndWeightsOfAllKinds)
{
    const int rounds = ranks == 1 ? 6 : 1;
    check_shapes<std::uint32_t>(501, rounds);
    check_shapes<double>(504, rounds);
    if (take_turns()) return;
    check_shapes<std::int64_t>(502, rounds);
    check_shapes<float>(503, rounds);
}

TEST_F(GpuGridSssp, SkewedDegrees)
{
    check<float>("undirected", skewed_graph<float>(4000, 40000, false), {1, 3999});
    if (take_turns()) return;
    check<std::uint32_t>("directed", skewed_graph<std::uint32_t>(4000, 40000, true), {1, 17});
    check<double>("of 64 bits", skewed_graph<double>(4000, 40000, false), {17});
}

TEST_F(GpuGridSssp, ManyImprovedRows)
{
    const ThreadGuard threads(2);
    const auto graph = skewed_graph<float>(600000, 3000000, false);
    for (const comm::GridShape shape : shapes_of(ranks)) {
        SCOPED_TRACE(to_text(shape));
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph distributed = construct_by<float>(grid, graph, ListOrder::weights);
        for (const Way& way : ways())
            if (way.by_second || way.method == SsspMethod::push_pull)
                search_in<float>(grid, distributed, graph, way, {5}, kNoCutoff);
    }
}

TEST_F(GpuGridSssp, PathAndIsolatedSource)
{
    // Each vertex of the path takes a round.
    oracle::WeightedGraph<std::int64_t> path{ranks == 1 ? 3000 : 80, false, {}};
    for (std::int64_t v = 0; v + 2 < path.vertices; ++v) path.edges.push_back({v, v + 1, v % 3});
    check<std::uint32_t>("path", path, {path.vertices / 2, path.vertices - 1});
}

TEST_F(GpuGridSssp, CutoffEndsSearches)
{
    const auto whole = random_weighted_graph<std::uint32_t>(200, 700, false, 0, 10, 3);
    for (const double cutoff : {0.0, 4.0, 1e9}) check<std::uint32_t>("whole", whole, {5}, cutoff);
    const auto real = random_weighted_graph<float>(200, 700, false, 0, 1000, 3);
    for (const double cutoff : {0.25, 0.7}) check<float>("real", real, {5}, cutoff);
}

TEST_F(GpuGridSssp, NegativeWeightsAndCycles)
{
    check_negative_weights(take_turns() ? 8 : 20);
}

template <typename W>
void GpuGridSssp::check_floats_below_zero()
{
    oracle::WeightedGraph<std::int64_t> whole{120, true, {}};
    oracle::WeightedGraph<W> graph{120, true, {}};
    RandomNumbers random(11);
    for (int i = 0; i < 500; ++i) {
        const std::int64_t u = random.below(119);
        const std::int64_t v = u + 1 + random.below(static_cast<std::uint32_t>(119 - u));
        const std::int64_t weight = static_cast<std::int64_t>(random.below(100)) - 50;
        whole.edges.push_back({u, v, weight});
        graph.edges.push_back({u, v, static_cast<W>(weight)});
    }
    std::vector<W> expected;
    for (const std::int64_t distance : bellman_ford(whole, 0))
        expected.push_back(distance == oracle::infinity<std::int64_t>() ? oracle::infinity<W>()
                                                                        : static_cast<W>(distance));
    for (const comm::GridShape shape : shapes_of(ranks)) {
        SCOPED_TRACE(to_text(shape));
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph distributed = construct_by<W>(grid, graph, ListOrder::neighbours);
        const auto search = make_search(grid, distributed);
        search->run(0);
        EXPECT_EQ(search->result().method, SsspMethod::bellman_ford);
        EXPECT_EQ(gather_distances<W>(world, 120, search->result().distances), expected);
    }
}

TEST_F(GpuGridSssp, FloatsBelowZero)
{
    check_floats_below_zero<float>();
    check_floats_below_zero<double>();
}

TEST_F(GpuGridSssp, ParentsOfEarlierSearchesAreForgotten)
{
    if (take_turns()) GTEST_SKIP() << "hundreds of rounds of ranks that take turns";
    check_parents_of_earlier_searches();
}

TEST_F(GpuGridSssp, SmallestParentsAreThoseOfTheCpu)
{
    const ThreadGuard threads(2);
    const auto graph = random_weighted_graph<std::uint32_t>(300, 1200, false, 0, 3, 9);
    for (const comm::GridShape shape : shapes_of(ranks)) {
        SCOPED_TRACE(to_text(shape));
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph distributed = construct_by<std::uint32_t>(grid, graph, ListOrder::weights);
        SsspOptions options;
        options.smallest_parents = true;
        const auto on_gpu = make_search(grid, distributed, options);
        const auto on_cpu = make_grid_sssp(grid, distributed, options, [](const CsrBlock& block, bool narrow) {
            return cpu::make_sssp_engine(block, narrow);
        });
        on_gpu->run(3);
        on_cpu->run(3);
        for (std::size_t i = 0; i < distributed.local_count(); ++i)
            EXPECT_EQ(on_gpu->result().parents[i], on_cpu->result().parents[i]) << i;
    }
}

TEST_F(GpuGridSssp, MemoryIsPredictedAndLimited)
{
    const comm::ProcessGrid grid(world, {ranks, 1});
    const auto graph = random_weighted_graph<float>(3000, 20000, true, 0, 1000, 3);
    const DistributedGraph distributed = construct_by<float>(grid, graph, ListOrder::weights);
    const DeviceBytes bytes = gpu::sssp::grid_steps_bytes(distributed, SsspMethod::push_pull, true);
    EXPECT_GE(bytes.graph,
              (distributed.block.in_edges.edges() + distributed.block.out_edges().edges()) * 2 * sizeof(float));
    DeviceExchange row(grid.row(), ExchangeMethod::staged);
    DeviceExchange column(grid.column(), ExchangeMethod::staged);
    const auto make = [&](std::size_t most_bytes) {
        static_cast<void>(
            gpu::sssp::make_grid_steps(distributed, {row, column}, SsspMethod::push_pull, true, most_bytes));
    };
    EXPECT_NO_THROW(make(bytes.graph + bytes.state));
    EXPECT_THROW(make(bytes.graph + bytes.state - 1), ResourceError);
}

TEST_F(GpuGridSssp, OneSmallSearchForSanitizers)
{
    const auto graph = skewed_graph<float>(300, 3000, false);
    const auto wide = skewed_graph<std::int64_t>(300, 3000, true);
    for (const comm::GridShape shape : shapes_of(ranks)) {
        SCOPED_TRACE(to_text(shape));
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph distributed = construct_by<float>(grid, graph, ListOrder::weights);
        const DistributedGraph distributed_wide = construct_by<std::int64_t>(grid, wide, ListOrder::weights);
        for (const Way& way : ways()) {
            // The second form is left out, because compute-sanitizer reports calls that NCCL makes.
            if (way.order != ListOrder::weights || way.by_second) continue;
            search_in<float>(grid, distributed, graph, way, {5}, kNoCutoff);
            search_in<std::int64_t>(grid, distributed_wide, wide, way, {5}, kNoCutoff);
        }
    }
}

}  // namespace
}  // namespace wayfront::algo
