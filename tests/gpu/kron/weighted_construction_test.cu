// Compares construction with weights on the GPU list by list: on one rank with the host's
// construction from the same generator, and over any number of ranks with oracle/weighted_kron.hpp.
// Several ranks are threads, each with a stream, on one GPU. The tests of the fixture named
// *OverRanks have a process for each rank, and ctest runs them with 1, 2, 3, 4 and 8 ranks.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "comm/process_grid.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/search.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/kron.hpp"
#include "oracle/weighted_kron.hpp"
#include "support/exchange_methods.hpp"
#include "support/gpu/thread_ranks.hpp"
#include "support/gpu_guard.hpp"

namespace wayfront::gpu::kron {

// This class is not in an anonymous namespace, because GoogleTest names the tests' classes after
// it.
class GpuWeightedConstruction : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};
class WeightedConstructionOverRanks : public OverRanks
{
};

namespace {

using oracle::WeightedKron;
using Arcs = WeightedKron::Arcs;  // column and bits of the weight

template <typename T>
std::vector<T> read(const T* device, std::size_t count)
{
    std::vector<T> host(count);
    check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDefault));
    return host;
}

__global__ void look_up_slots(LocalSlotsView view, std::uint32_t none, std::uint32_t* slots)
{
    for (std::uint64_t i = first_index(); i < view.count; i += index_stride()) {
        const std::uint32_t slot = view.slot_of(static_cast<std::uint32_t>(i));
        slots[i] = slot != LocalSlotsView::kNone ? slot : none;
    }
}

std::vector<std::uint32_t> read_slots(const LocalSlotsView& view, std::uint32_t none)
{
    const Stream stream;
    DeviceBuffer<std::uint32_t> slots(view.count);
    launch(look_up_slots, view.count, stream, view, none, slots.data());
    stream.synchronize();
    return read(slots.data(), slots.size());
}

/// The graph that the host constructs.
struct HostGraph
{
    explicit HostGraph(const KronSource& source)
        : grid(comm::Communicator::self(), {1, 1}),
          feed(source, 0, 1, true),
          graph(construct(grid, feed, wayfront::ConstructionOptions{.list_order = ListOrder::weights}))
    {
    }

    [[nodiscard]] Arcs list(std::uint32_t slot) const
    {
        const CsrView csr = graph.block.out_edges().view();
        const auto& weights = std::get<HostBuffer<float>>(graph.block.out_weights());
        Arcs arcs;
        for (std::uint64_t i = csr.begin(slot); i < csr.end(slot); ++i)
            arcs.emplace_back(csr.neighbours[i], std::bit_cast<std::uint32_t>(weights[i]));
        return arcs;
    }

    [[nodiscard]] double weight_sum() const
    {
        double sum = 0;
        for (const float weight : std::get<HostBuffer<float>>(graph.block.out_weights()).span()) sum += weight;
        return sum;
    }

    comm::ProcessGrid grid;
    SourceFeed feed;
    DistributedGraph graph;
};

/// The expected lists of a rank.
struct ExpectedLists
{
    std::uint32_t ranks = 1;
    std::uint32_t rank = 0;
    std::uint32_t slots = 0;
    std::vector<Arcs> lists;                   // lists of the first slots; other slots have no arcs
    std::vector<std::uint32_t> slot_of_local;  // `slots` for a vertex without edges
    std::vector<std::uint32_t> vertex_of_column;

    explicit ExpectedLists(const HostGraph& host)
        : slots(host.graph.block.slot_stride),
          slot_of_local(host.graph.slot_of_local.begin(), host.graph.slot_of_local.end())
    {
        for (std::uint32_t slot = 0; slot < slots; ++slot) lists.push_back(host.list(slot));
        for (std::uint32_t slot = 0; slot < host.graph.connected_vertices; ++slot)
            vertex_of_column.push_back(
                static_cast<std::uint32_t>(static_cast<Vertex>(host.graph.vertex_of_column[slot])));
    }
    ExpectedLists(const WeightedKron& oracle, std::uint32_t of_rank)
        : ranks(oracle.numbers.ranks),
          rank(of_rank),
          slots(oracle.slots()),
          lists(oracle.lists[rank]),
          slot_of_local(oracle.numbers.slot_of_local[rank]),
          vertex_of_column(oracle.numbers.vertex_of_column)
    {
        for (std::uint32_t& slot : slot_of_local) slot = std::min(slot, slots);
        vertex_of_column.resize(std::size_t{ranks} * slots);
    }

    [[nodiscard]] std::uint64_t arcs() const
    {
        std::uint64_t sum = 0;
        for (const Arcs& list : lists) sum += list.size();
        return sum;
    }
    /// The column of a slot of this rank.
    [[nodiscard]] std::uint32_t column_of(std::uint32_t slot) const
    {
        return (slot / 1024 * ranks + rank) * 1024 + slot % 1024;
    }
};

/// Expects these lists in device memory, with correct padding and heads.
void expect_lists(const ArcListsView& view, const ExpectedLists& expected)
{
    const std::uint32_t slots = expected.slots;
    ASSERT_EQ(view.slots, slots);
    ASSERT_EQ(view.columns.slot_stride, slots);
    EXPECT_EQ(view.columns.ranks, expected.ranks);
    EXPECT_EQ(view.columns.rank, expected.rank);
    EXPECT_EQ(view.arcs, expected.arcs());
    EXPECT_EQ(read_slots(view.local_slots, slots), expected.slot_of_local);
    EXPECT_EQ(read(view.vertex_of_column, expected.vertex_of_column.size()), expected.vertex_of_column);

    const std::vector<ListPlace> places = read(view.lists, slots);
    const std::vector<Arc> heads = read(view.heads, std::size_t{slots} * kHeadArcs);
    const std::vector<Arc> arcs =
        read(view.list_arcs, static_cast<std::size_t>(places.back().begin() + (places.back().degree() + 3) / 4 * 4));
    std::uint64_t end = 0;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        SCOPED_TRACE("slot " + std::to_string(slot));
        const Arcs list = slot < expected.lists.size() ? expected.lists[slot] : Arcs{};
        ASSERT_EQ(places[slot].begin(), end);
        ASSERT_EQ(places[slot].degree(), list.size());
        for (std::size_t k = 0; k < std::max<std::size_t>((list.size() + 3) / 4 * 4, kHeadArcs); ++k) {
            const auto wanted = k < list.size() ? list[k] : std::pair{expected.column_of(slot), kInfiniteFloat};
            if (k < (list.size() + 3) / 4 * 4) {
                const Arc& arc = arcs[static_cast<std::size_t>(end) + k];
                ASSERT_EQ(std::pair(arc.end, arc.weight), wanted) << "arc " << k;
            }
            if (k < kHeadArcs) {
                const Arc& head = heads[std::size_t{slot} * kHeadArcs + k];
                ASSERT_EQ(std::pair(head.end, head.weight), wanted) << "head " << k;
            }
        }
        end += (list.size() + 3) / 4 * 4;
    }
}

WeightedGraph expect_constructed(const KronSource& source, const ConstructionOptions& options = {},
                                 int at_least_batches = 0)
{
    const HostGraph host(source);
    const Stream stream;
    OneRank alone;
    ConstructionRun run{stream, options};
    WeightedGraph graph = construct_weighted_kron(source.parameters(), source.edge_count(), alone, run);
    EXPECT_EQ(graph.connected_vertices, host.graph.connected_vertices);
    EXPECT_EQ(graph.weight_sum, host.weight_sum());  // both sums are exact
    EXPECT_GE(run.report.batches, at_least_batches);
    EXPECT_GE(run.report.peak_bytes, graph.lists.bytes());
    expect_lists(graph.lists.view(), ExpectedLists(host));
    return graph;
}

/// Expects the oracle's graph on this rank. Collective.
void expect_oracles(const KronSource& source, const WeightedKron& oracle, DeviceCollectives& ranks,
                    const ConstructionOptions& options = {}, int at_least_batches = 0)
{
    SCOPED_TRACE("scale " + std::to_string(source.parameters().scale) + ", rank " + std::to_string(ranks.rank()));
    const Stream stream;
    ConstructionRun run{stream, options};
    const WeightedGraph graph = construct_weighted_kron(source.parameters(), source.edge_count(), ranks, run);
    EXPECT_EQ(graph.connected_vertices, oracle.numbers.connected);
    EXPECT_EQ(graph.weight_sum, oracle.weight_sum);  // both sums are exact
    EXPECT_GE(run.report.batches, at_least_batches);
    EXPECT_GE(run.report.peak_bytes, graph.lists.bytes());
    expect_lists(graph.lists.view(), ExpectedLists(oracle, static_cast<std::uint32_t>(ranks.rank())));
}

}  // namespace

TEST_F(GpuWeightedConstruction, EqualsTheHost)
{
    for (int scale = 5; scale <= 14; ++scale) {
        for (const EdgeCount edge_factor : {1, 16}) {
            SCOPED_TRACE("scale " + std::to_string(scale) + ", edge factor " + std::to_string(edge_factor));
            (void)expect_constructed(KronSource(scale, edge_factor, 2, 3));
        }
    }
    for (const int scale : {1, 2, 3}) {
        SCOPED_TRACE("scale " + std::to_string(scale));
        // The graphs have few lists and long runs of duplicates.
        (void)expect_constructed(KronSource(scale, 64, 2, 3));
    }
}

TEST_F(GpuWeightedConstruction, DependsOnTheSeeds)
{
    (void)expect_constructed(KronSource(9, 8, 123456789, 1ULL << 63));
}

TEST_F(GpuWeightedConstruction, BatchesDoNotChangeTheGraph)
{
    ConstructionOptions options;
    options.batch_edges = 30'000;
    (void)expect_constructed(KronSource(13, 16, 2, 3), options, 9);
    options.batch_edges = 3'000;
    (void)expect_constructed(KronSource(10, 4, 5, 3), options, 3);
}

TEST_F(GpuWeightedConstruction, KeepsTheSmallestWeightOfManyDuplicates)
{
    // Runs of thousands of duplicates cross the borders of tiles.
    (void)expect_constructed(KronSource(4, 50'000, 2, 3));
}

TEST_F(GpuWeightedConstruction, EqualsTheOracleOnAnyNumberOfRanks)
{
    for (const int ranks : {1, 2, 3, 4, 8}) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks");
        for (const auto& [scale, edge_factor] : {std::pair{2, 16}, {9, 1}, {14, 16}}) {
            const KronSource source(scale, edge_factor, 2, 3);
            const WeightedKron oracle(source, ranks);
            on_thread_ranks(
                ranks, [&](DeviceCollectives& together, std::size_t) { expect_oracles(source, oracle, together); });
        }
    }
}

TEST_F(GpuWeightedConstruction, BatchesDoNotChangeTheGraphOfSeveralRanks)
{
    ConstructionOptions options;
    options.batch_edges = 30'000;
    const KronSource source(13, 16, 2, 3);
    const WeightedKron oracle(source, 3);
    on_thread_ranks(
        3, [&](DeviceCollectives& together, std::size_t) { expect_oracles(source, oracle, together, options, 3); });
}

/// The same graph, constructed in one batch and in several batches.
struct BothWays
{
    WeightedGraph whole, batched;
};

/// Constructs a graph without a memory limit, and with a limit that is too low for one batch.
/// Expects that neither construction exceeds its limit.
BothWays construct_within_memory(const KronSource& source, int scale, int ranks, DeviceCollectives& together,
                                 const Stream& stream)
{
    const ConstructionMemory estimate = weighted_construction_memory(scale, source.edge_count(), ranks);
    ConstructionRun at_once{stream};
    WeightedGraph whole = construct_weighted_kron(source.parameters(), source.edge_count(), together, at_once);
    EXPECT_EQ(at_once.report.batches, 1);
    EXPECT_LE(at_once.report.peak_bytes, estimate.one_batch_bytes);
    EXPECT_LE(whole.lists.bytes(), estimate.graph_bytes);

    ConstructionRun in_batches{stream, {.memory_bytes = (estimate.one_batch_bytes + estimate.least_bytes) / 2}};
    WeightedGraph batched = construct_weighted_kron(source.parameters(), source.edge_count(), together, in_batches);
    EXPECT_GT(in_batches.report.batches, 1);
    EXPECT_LE(in_batches.report.peak_bytes, in_batches.options.memory_bytes);
    EXPECT_EQ(batched.weight_sum, whole.weight_sum);
    return {std::move(whole), std::move(batched)};
}

TEST_F(GpuWeightedConstruction, SeveralRanksTakeNoMoreMemoryThanTheyWereAllowed)
{
    const KronSource source(18, 16, 2, 3);
    on_thread_ranks(3, [&](DeviceCollectives& together, std::size_t) {
        const Stream stream;
        (void)construct_within_memory(source, 18, 3, together, stream);
    });
}

TEST_F(WeightedConstructionOverRanks, EqualsTheOracle)
{
    for (const auto& [scale, edge_factor] : {std::pair{3, 16}, {13, 16}}) {
        const KronSource source(scale, edge_factor, 2, 3);
        const WeightedKron oracle(source, world_.size());
        each_method([&](DeviceExchange& exchange) { expect_oracles(source, oracle, exchange); });
    }
}

TEST_F(GpuWeightedConstruction, TakesNoMoreMemoryThanItWasAllowed)
{
    const Stream stream;
    OneRank alone;
    const KronSource source(20, 16, 2, 3);
    const BothWays graph = construct_within_memory(source, 20, 1, alone, stream);
    const ArcListsView& view = graph.whole.lists.view();
    const std::vector<ListPlace> places = read(view.lists, view.slots);
    EXPECT_TRUE(std::ranges::equal(places, read(graph.batched.lists.view().lists, view.slots), {}, &ListPlace::packed,
                                   &ListPlace::packed));
    const auto arcs = static_cast<std::size_t>(places.back().begin());
    const auto equal = [](const Arc& a, const Arc& b) { return a.end == b.end && a.weight == b.weight; };
    EXPECT_TRUE(
        std::ranges::equal(read(view.list_arcs, arcs), read(graph.batched.lists.view().list_arcs, arcs), equal));
}

TEST_F(GpuWeightedConstruction, RefusesWhatItCannotDo)
{
    const Stream stream;
    OneRank alone;
    const KronSource source(13, 16, 2, 3);
    ConstructionRun run{stream, {.batch_edges = 100}};  // less than the degree of the busiest vertex
    EXPECT_THROW((void)construct_weighted_kron(source.parameters(), source.edge_count(), alone, run), ResourceError);
    run.options = {};
    EXPECT_THROW((void)construct_weighted_kron(kron_parameters(32, 2, 3), 16, alone, run), InputError);
}

/// The lists are copied from the host, and the same kernels place them.
TEST_F(GpuWeightedConstruction, PlacesTheHostsListsToo)
{
    const Stream stream;
    for (const int scale : {1, 5, 12}) {
        SCOPED_TRACE("scale " + std::to_string(scale));
        const HostGraph host(KronSource(scale, 16, 2, 3));
        const ArcLists lists(host.graph, OwnOutEdges(comm::Communicator::self(), host.graph), ArcDirections::out,
                             stream);
        expect_lists(lists.view(), ExpectedLists(host));
    }
}

TEST_F(GpuWeightedConstruction, IsSearchedLikeTheHostsGraph)
{
    const KronSource source(14, 16, 2, 3);
    const HostGraph host(source);
    sssp::DeviceSssp copied(host.grid, host.graph, {});
    WeightedGraph made = expect_constructed(source);
    const sssp::SsspGraph facts{.vertices = source.vertex_count(),
                                .connected_vertices = made.connected_vertices,
                                .weight_sum = made.weight_sum};
    sssp::DeviceSssp constructed(host.grid, std::move(made.lists), facts, {});
    EXPECT_DOUBLE_EQ(constructed.width(), copied.width());
    const auto n = static_cast<std::size_t>(source.vertex_count());
    for (const Vertex key : {Vertex{1}, source.vertex_count() / 2, source.vertex_count() - 1}) {
        EXPECT_EQ(constructed.has_edges(static_cast<std::uint32_t>(key)),
                  host.graph.slot_of_local[static_cast<std::size_t>(key)] < host.graph.block.slot_stride);
        std::vector<std::uint32_t> distances[2] = {std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)};
        std::vector<std::int32_t> parents(n);
        copied.run(key);
        copied.copy_results(distances[0], parents);
        constructed.run(key);
        constructed.copy_results(distances[1], parents);
        EXPECT_EQ(distances[0], distances[1]);
        EXPECT_EQ(read(constructed.device_distances(), n), distances[1]);
        EXPECT_EQ(read(constructed.device_parents(), n), parents);
    }
}

}  // namespace wayfront::gpu::kron
