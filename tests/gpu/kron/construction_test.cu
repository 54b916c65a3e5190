// Compares construction on the GPU with oracle/constructed_kron.hpp. Ranks are constructed one
// after the other on one GPU; the oracle provides the data that the ranks would exchange.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/kron_recursive.cuh"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch.cuh"
#include "graph/generators/kron.hpp"
#include "oracle/constructed_kron.hpp"

namespace wayfront::gpu::kron {

// This class is not in an anonymous namespace, because GoogleTest names the tests' classes after
// it.
class GpuConstruction : public testing::Test
{
protected:
    void SetUp() override
    {
        if (device_count() > 0) return;
        const char* required = std::getenv("WAYFRONT_REQUIRE_GPU");
        if (required != nullptr && std::string(required) == "1")
            FAIL() << "WAYFRONT_REQUIRE_GPU=1, but there is no GPU";
        GTEST_SKIP() << "no GPU";
    }
};

namespace {

using oracle::ConstructedKron;

std::vector<PackedEdge> tuples_of(const KronSource& source, EdgeCount first, std::size_t count)
{
    std::vector<PackedEdge> tuples(count);
    source.edges(first, tuples);
    return tuples;
}

PackedEdge scrambled(const KronParameters& parameters, RecursivePair pair)
{
    return PackedEdge::pack(kron_detail::scramble(parameters, pair.source),
                            kron_detail::scramble(parameters, pair.target));
}

__global__ void __launch_bounds__(TuplePass::kThreads)
    store_tuples(const __grid_constant__ KronTuples all, std::uint64_t first, std::uint64_t wanted, uint2* tuples)
{
    all.for_each_pair([&](std::uint64_t number, RecursivePair pair, bool there) {
        if (there && number - first < wanted)
            tuples[number - first] = {kron_detail::scramble(all.generator.parameters, pair.source),
                                      kron_detail::scramble(all.generator.parameters, pair.target)};
    });
}

template <typename T>
std::vector<T> read(const DeviceBuffer<T>& buffer)
{
    std::vector<T> host(buffer.size());
    check(cudaMemcpy(host.data(), buffer.data(), buffer.bytes(), cudaMemcpyDefault));
    return host;
}

__global__ void look_up_slots(LocalSlotsView view, std::uint32_t none, std::uint32_t* slots)
{
    for (std::uint64_t i = first_index(); i < view.count; i += index_stride()) {
        const std::uint32_t slot = view.slot_of(static_cast<std::uint32_t>(i));
        slots[i] = slot != LocalSlotsView::kNone ? slot : none;
    }
}

/// Returns the slots by local number; `none` for a vertex without edges.
std::vector<std::uint32_t> read_slots(const LocalSlotsView& view, std::uint32_t none)
{
    const Stream stream;
    DeviceBuffer<std::uint32_t> slots(view.count);
    launch(look_up_slots, view.count, stream, view, none, slots.data());
    stream.synchronize();
    return read(slots);
}

/// Compares the graph of a rank with the expected one.
void expect_is(const ConstructedKron& oracle, const DeviceGraph& graph, std::uint32_t rank)
{
    EXPECT_EQ(graph.view.ranks, oracle.ranks);
    EXPECT_EQ(graph.view.rank, rank);
    EXPECT_EQ(graph.view.slot_stride, oracle.stride);
    EXPECT_EQ(graph.view.local_count, oracle.slot_of_local[rank].size());
    EXPECT_EQ(graph.view.in.edges, static_cast<std::uint64_t>(oracle.edges_of(rank)));
    EXPECT_EQ(graph.connected_vertices, oracle.connected);
    EXPECT_EQ(graph.directed_edges, oracle.edges);
    EXPECT_EQ(read_slots(graph.view.local_slots, oracle.stride), oracle.slot_of_local[rank]);
    EXPECT_EQ(read(graph.vertex_of_column), oracle.vertex_of_column);

    std::vector<std::uint64_t> begins;
    std::vector<std::uint32_t> degrees;
    std::vector<std::uint32_t> columns;
    for (std::uint32_t slot = 0; slot < oracle.stride; ++slot) {
        begins.push_back(columns.size());
        degrees.push_back(slot < oracle.lists[rank].size() ? static_cast<std::uint32_t>(oracle.lists[rank][slot].size())
                                                           : 0);
        if (degrees.back() > 0)
            columns.insert(columns.end(), oracle.lists[rank][slot].begin(), oracle.lists[rank][slot].end());
        while (columns.size() % kListAlign != 0) columns.push_back(oracle.ranks * oracle.stride);
    }
    std::vector<std::uint64_t> graph_begins;
    std::vector<std::uint32_t> graph_degrees;
    for (const ListPlace& place : read(graph.in.lists())) {
        graph_begins.push_back(place.begin());
        graph_degrees.push_back(place.degree());
    }
    EXPECT_EQ(graph_begins, begins);
    EXPECT_EQ(graph_degrees, degrees);
    EXPECT_EQ(read(graph.in.neighbours()), columns);
}

/// A single rank with simulated other ranks, which check the data that this rank sends, and answer
/// with the expected data.
class OracleRank final : public DeviceCollectives
{
public:
    OracleRank(const ConstructedKron& oracle, int rank) : oracle_(oracle), own_(static_cast<std::uint32_t>(rank)) {}

    int ranks() const override { return static_cast<int>(oracle_.ranks); }
    int rank() const override { return static_cast<int>(own_); }
    void max(std::span<std::int64_t> values) override
    {
        ASSERT_EQ(values.size(), 1U);
        EXPECT_EQ(values[0], static_cast<std::int64_t>(oracle_.local_of_slot[own_].size()));
        values[0] = static_cast<std::int64_t>(oracle_.stride);
    }
    void sum(std::span<std::int64_t> values) override
    {
        ASSERT_EQ(values.size(), 1U);
        const bool first = sums_++ == 0;
        EXPECT_EQ(values[0],
                  first ? static_cast<std::int64_t>(oracle_.local_of_slot[own_].size()) : oracle_.edges_of(own_));
        values[0] = first ? oracle_.connected : oracle_.edges;
    }
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override
    {
        const std::size_t part = oracle_.slot_of_local[0].size();  // size of the largest part of any rank
        ASSERT_EQ(piece_bytes, part * sizeof(std::uint32_t));
        const std::span all(reinterpret_cast<std::uint32_t*>(pieces), part * oracle_.ranks);
        std::vector<std::uint32_t> told(oracle_.slot_of_local[own_].size());
        copy_async(std::span<const std::uint32_t>(all.subspan(part * own_, told.size())), std::span(told), stream);
        stream.synchronize();
        EXPECT_EQ(told, oracle_.slot_of_local[own_]);
        for (std::size_t r = 0; r < oracle_.ranks; ++r) {
            const std::span<const std::uint32_t> slots(oracle_.slot_of_local[r]);
            copy_async(slots, all.subspan(part * r, slots.size()), stream);
        }
        stream.synchronize();
    }
    void all_to_all(const std::byte* /*send*/, std::byte* /*receive*/, std::size_t /*piece_bytes*/,
                    const Stream& /*stream*/) override
    {
        ADD_FAILURE() << "construction has nothing for an all-to-all";
    }

private:
    const ConstructedKron& oracle_;
    std::uint32_t own_;
    int sums_ = 0;
};

void expect_constructed(const KronSource& source, int ranks, const ConstructionOptions& options = {},
                        int at_least_batches = 0)
{
    const ConstructedKron oracle(source, ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        SCOPED_TRACE("rank " + std::to_string(rank) + " of " + std::to_string(ranks));
        const Stream stream;
        ConstructionRun run{stream, options};
        OracleRank group(oracle, rank);
        const DeviceGraph graph = construct_kron(source.parameters(), source.edge_count(), group, run);
        expect_is(oracle, graph, static_cast<std::uint32_t>(rank));
        EXPECT_GE(run.report.batches, at_least_batches);
        EXPECT_GE(run.report.peak_bytes, graph.bytes());
    }
}

}  // namespace

// This test needs no GPU, because the functions that generate one edge also run on the host.
TEST(RecursivePair, IsTheSourcesTupleAndWeight)
{
    for (const int scale : {1, 2, 4, 5, 6, 11, 20, 26, 31}) {
        SCOPED_TRACE("scale " + std::to_string(scale));
        const KronSource source(scale, 16, 2, 3);
        const KronParameters& parameters = source.parameters();
        const auto count = static_cast<std::size_t>(std::min<EdgeCount>(source.edge_count(), 100'000));
        const EdgeCount first = (source.edge_count() - static_cast<EdgeCount>(count)) / 3;
        const MrgMatrix step = mrg_stream_step(1);
        MrgState stream = kron_stream(parameters, mrg_powers().power, static_cast<std::uint64_t>(first));
        std::size_t wrong = 0;
        std::vector<float> weights(count);
        source.weights(first, weights);
        std::size_t i = 0;
        for (const PackedEdge& tuple : tuples_of(source, first, count)) {
            wrong += scrambled(parameters, recursive_pair(scale, stream)) == tuple ? 0U : 1U;
            MrgState drawing = stream;
            wrong += scrambled(parameters, draw_pair(scale, drawing)) == tuple ? 0U : 1U;
            wrong += draw_weight_bits(drawing) == std::bit_cast<std::uint32_t>(weights[i]) ? 0U : 1U;
            MrgState by_levels = stream;
            wrong += scrambled(parameters, draw_pair_by_levels(scale, by_levels)) == tuple ? 0U : 1U;
            wrong += draw_weight_bits(by_levels) == std::bit_cast<std::uint32_t>(weights[i]) ? 0U : 1U;
            ++i;
            stream = kron_detail::apply(step, stream);
        }
        EXPECT_EQ(wrong, 0U);
    }
}

TEST_F(GpuConstruction, MakesTheSourcesTuples)
{
    const Stream stream;
    for (const int scale : {1, 3, 5, 10, 22, 26}) {
        const KronSource source(scale, 16, 2, 3);
        const TuplePass pass(source.parameters(), source.edge_count(), stream);
        for (const int third : {0, 1, 2}) {
            SCOPED_TRACE("scale " + std::to_string(scale) + ", third " + std::to_string(third));
            const EdgeCount first = source.edge_count() / 3 * third + third;
            const auto wanted = static_cast<std::size_t>(std::min<EdgeCount>(source.edge_count() - first, 1 << 20));
            DeviceBuffer<uint2> made(wanted);
            fill_bytes_async(made.span(), 0xFF, stream);
            pass.launch(store_tuples, stream, static_cast<std::uint64_t>(first), std::uint64_t{wanted}, made.data());
            stream.synchronize();
            const std::vector<uint2> pairs = read(made);
            const std::vector<PackedEdge> tuples = tuples_of(source, first, wanted);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < wanted; ++i)
                wrong += PackedEdge::pack(pairs[i].x, pairs[i].y) == tuples[i] ? 0U : 1U;
            EXPECT_EQ(wrong, 0U);
        }
    }
}

TEST_F(GpuConstruction, EqualsTheOracleOnOneRank)
{
    for (const int scale : {1, 2, 5, 8, 10, 13, 16}) {
        for (const EdgeCount edge_factor : {1, 16}) {
            SCOPED_TRACE("scale " + std::to_string(scale) + ", edge factor " + std::to_string(edge_factor));
            expect_constructed(KronSource(scale, edge_factor, 2, 3), 1);
        }
    }
}

TEST_F(GpuConstruction, DependsOnTheSeeds)
{
    expect_constructed(KronSource(9, 8, 123456789, 1ULL << 63), 1);
}

TEST_F(GpuConstruction, EqualsTheOracleOnSeveralRanks)
{
    for (const int ranks : {2, 3, 8}) {
        for (const int scale : {2, 9, 15}) {
            SCOPED_TRACE("scale " + std::to_string(scale));
            expect_constructed(KronSource(scale, 16, 2, 3), ranks);
        }
    }
}

TEST_F(GpuConstruction, BatchesDoNotChangeTheGraph)
{
    ConstructionOptions options;
    options.batch_edges = 30'000;
    expect_constructed(KronSource(13, 16, 2, 3), 1, options, 9);
    expect_constructed(KronSource(13, 16, 2, 3), 3, options, 3);
}

TEST_F(GpuConstruction, TakesNoMoreMemoryThanItWasAllowed)
{
    const Stream stream;
    OneRank alone;
    const KronSource source(20, 16, 2, 3);
    const ConstructionMemory estimate = construction_memory(20, source.edge_count(), 1);
    ConstructionRun whole{stream};
    const DeviceGraph graph = construct_kron(source.parameters(), source.edge_count(), alone, whole);
    EXPECT_EQ(whole.report.batches, 1);
    EXPECT_LE(whole.report.peak_bytes, estimate.one_batch_bytes);
    EXPECT_LE(graph.bytes(), estimate.graph_bytes);

    ConstructionRun batched{stream, {.memory_bytes = (estimate.one_batch_bytes + estimate.least_bytes) / 2}};
    const DeviceGraph same = construct_kron(source.parameters(), source.edge_count(), alone, batched);
    EXPECT_GT(batched.report.batches, 1);
    EXPECT_LE(batched.report.peak_bytes, batched.options.memory_bytes);
    const std::vector<ListPlace> places = read(graph.in.lists());
    EXPECT_TRUE(std::ranges::equal(places, read(same.in.lists()), {}, &ListPlace::packed, &ListPlace::packed));
    EXPECT_EQ(read(graph.in.neighbours()), read(same.in.neighbours()));
}

TEST_F(GpuConstruction, RefusesWhatItCannotDo)
{
    const Stream stream;
    OneRank alone;
    const KronSource source(13, 16, 2, 3);
    ConstructionRun run{stream, {.batch_edges = 100}};  // less than the degree of the busiest vertex
    EXPECT_THROW((void)construct_kron(source.parameters(), source.edge_count(), alone, run), ResourceError);
    run.options = {};
    EXPECT_THROW((void)construct_kron(kron_parameters(32, 2, 3), 16, alone, run), InputError);
}

TEST(ConstructionMemory, KnowsHowManyVerticesHaveEdges)
{
    const KronSource source(16, 16, 2, 3);
    const ConstructedKron oracle(source, 1);
    EXPECT_NEAR(expected_connected_vertices(16, source.edge_count()), static_cast<double>(oracle.connected),
                0.005 * static_cast<double>(oracle.connected));
}

TEST(ConstructionMemory, FitsTheGraphsThatItShould)
{
    constexpr std::size_t h200 = std::size_t{139} << 30;
    EXPECT_LE(construction_memory(27, EdgeCount{16} << 27, 1).one_batch_bytes, h200);
    EXPECT_LE(construction_memory(30, EdgeCount{16} << 30, 8).one_batch_bytes, h200);
    EXPECT_LE(construction_memory(31, EdgeCount{16} << 31, 8).least_bytes, h200);
    EXPECT_NO_THROW(require_construction_memory(31, EdgeCount{16} << 31, 8, h200));
}

TEST(ConstructionMemory, SaysWhatWouldDo)
{
    constexpr std::size_t h200 = std::size_t{139} << 30;
    try {
        require_construction_memory(31, EdgeCount{16} << 31, 2, h200);
        FAIL() << "scale 31 was said to fit two GPUs";
    } catch (const ResourceError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("kron:31"), std::string::npos) << message;
        EXPECT_NE(message.find("139.0 GiB are free"), std::string::npos) << message;
        EXPECT_NE(message.find("ranks with as much or scale"), std::string::npos) << message;
    }
    EXPECT_THROW(require_construction_memory(32, EdgeCount{16} << 32, 64, h200), ResourceError);
    EXPECT_THROW(require_construction_memory(10, EdgeCount{16} << 10, 1, 1000), ResourceError);
}

}  // namespace wayfront::gpu::kron
