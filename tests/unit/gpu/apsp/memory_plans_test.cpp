// The sizes of the arrays of all pairs, added up by hand.
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "gpu/apsp/bulk/bulk_batches.hpp"
#include "gpu/apsp/elimination/elimination_search_plan.hpp"
#include "gpu/apsp/hops/bit_parallel_plan.hpp"
#include "gpu/apsp/hops/hop_counter_plan.hpp"
#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/panel_plan.hpp"
#include "gpu/apsp/rows/combined_rows_plan.hpp"
#include "gpu/apsp/rows/device_rows_plan.hpp"
#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/papers/batched/batched_search_plan.hpp"

namespace wayfront::gpu::apsp {
namespace {

using algo::DistanceType;

// Three numbers in lines of 128 bytes, and eight totals of one or two words in another line.
constexpr std::size_t kBarrierBytes = 512;

TEST(BatchedSearchPlan, HasAWordForEachVertexAndSourceTwiceAndABitOnce)
{
    // 11 begins, 40 arcs, twice 640 costs, 20 words of bits, and a flag.
    EXPECT_EQ(BatchedSearchPlan(10, 40, 64).bytes(), 11 * 4 + 40 * 8 + 2 * 640 * 4 + 20 * 4 + 4U);
    // One source has a word for each vertex.
    EXPECT_EQ(BatchedSearchPlan(1000, 0, 1).bytes(), 1001 * 4 + 3 * 1000 * 4 + 4U);
    EXPECT_EQ(BatchedSearchPlan(1, 0, 32).bytes(), 8 + 2 * 32 * 4 + 4 + 4U);
}

TEST(FloydWarshallPlan, PadsMatricesToTiles)
{
    // 200 vertices take 256 rows of 256 words, and 128 transposed columns.
    EXPECT_EQ(FloydWarshallPlan(200, MinPlusSums::floats, 1).bytes(), 256 * 256 * 4 + 256 * 128 * 4U);
    EXPECT_EQ(FloydWarshallPlan(200, MinPlusSums::floats, 3).bytes(), 3 * (256 * 256 * 4 + 256 * 128 * 4U));
    // Two distances in a word: 256 rows of 128 words.
    const FloydWarshallPlan shorts(200, MinPlusSums::shorts, 1);
    EXPECT_EQ(shorts.stride, 128U);
    EXPECT_EQ(shorts.bytes(), 256 * 128 * 4 + 256 * 128 * 4U);
    // A distance of 64 bits has two words, in the transposed columns, too.
    const FloydWarshallPlan doubles(200, MinPlusSums::doubles, 3);
    EXPECT_EQ(doubles.stride, 512U);
    EXPECT_EQ(doubles.bytes(), 3 * (256 * 256 * 8 + 256 * 128 * 8U));
}

TEST(FloydWarshallPlan, HasNoTilesIfABlockClosesAMatrix)
{
    EXPECT_FALSE(FloydWarshallPlan(64, MinPlusSums::wholes, 1).has_tiles());
    EXPECT_EQ(FloydWarshallPlan(64, MinPlusSums::wholes, 5).bytes(), 5 * 64 * 64 * 4U);
    EXPECT_EQ(FloydWarshallPlan(1, MinPlusSums::wholes, 1).bytes(), 64 * 64 * 4U);
    EXPECT_TRUE(FloydWarshallPlan(65, MinPlusSums::wholes, 1).has_tiles());
    EXPECT_EQ(FloydWarshallPlan(1, MinPlusSums::doubles, 1).bytes(), 64 * 64 * 8U);
    EXPECT_TRUE(FloydWarshallPlan(1, MinPlusSums::shorts, 1).has_tiles());
}

TEST(FloydWarshallPlan, SharesPanelsAndTasks)
{
    // Rows, columns, and 4 open and 4 closed squares of 32 x 32; twice.
    EXPECT_EQ(ResidentPanelsPlan(128).bytes(), 2 * (2 * 128 * 128 + 2 * 4 * 1024) * 4U);
    EXPECT_EQ(ResidentPanelsPlan(0).bytes(), 0U);
    // 33 vertices have 2 x 2 tiles.
    EXPECT_EQ(TasksPlan(32, 1).bytes(), 2 * 4U);
    EXPECT_EQ(TasksPlan(33, 10).bytes(), 4 + 10 * 4 * 4U);
    EXPECT_EQ(MatrixArcsPlan(7).bytes(), 7 * 16U);
}

TEST(PanelPlan, HasTwoSetsOfPanelsOfEachRank)
{
    // Ranks of a 2 x 1 grid with 5 x 5 tiles of 1024 vertices: a pivot tile, a row of 5 tiles, and
    // a column of 3 tiles, whose distances are spread over words.
    const algo::BlockCyclic tiles{1024, 5, {2, 1}, 1, 0};
    constexpr std::size_t tile = std::size_t{1024} * 1024;
    EXPECT_EQ(PanelPlan(tiles, MinPlusSums::wholes).bytes(), 2 * tile * (1 + 5 + 3) * 4);
    EXPECT_EQ(PanelPlan(tiles, MinPlusSums::shorts).bytes(), 2 * tile * (1 + 5 + 2 * 3) * 2);
    EXPECT_EQ(PanelPlan(tiles, MinPlusSums::doubles).bytes(), 2 * tile * (1 + 5 + 3) * 8);
    // Through the hosts: one pivot tile, and two columns or rows that other ranks of the grid read.
    EXPECT_EQ(host_panel_bytes(tiles, MinPlusSums::doubles), 8.0 * tile * (1 + 2 * 5));
}

TEST(EliminationPlan, HasTheTreeAndDistancesToAncestors)
{
    algo::Elimination tree;  // of 5 of 8 vertices
    for (auto* const of_position : {&tree.vertices, &tree.parents, &tree.depths, &tree.ends}) of_position->resize(5);
    for (auto* const begins : {&tree.arcs_to_ancestors_begins, &tree.arcs_from_ancestors_begins}) begins->resize(6);
    tree.positions.resize(8);
    tree.arcs_to_ancestors.resize(10);
    tree.arcs_from_ancestors.resize(12);
    tree.height = 3;
    const EliminationShape shape{.chunk = 2, .chunks = 3, .warps = 16};
    // 6 steps of 16 bytes; arcs of 8; begins, parents and positions; 64 sources' and 16 warps'
    // distances to 3 ancestors; 4 begins of chunks; 2048 bins.
    const std::size_t without_ancestors =
        6 * 16 + 22 * 8 + (6 + 5 + 8) * 4 + 64 * 3 * 4 + 16 * 32 * 3 * 4 + 4 * 4 + 2048 * 8;
    EXPECT_EQ(EliminationPlan(tree, shape, 4, 33).bytes(), without_ancestors + 16);
    EXPECT_EQ(EliminationPlan::most(tree, shape, 33).bytes(), without_ancestors + 36);
    EXPECT_EQ(EliminationFactsPlan(33).bytes(), 33 * 16U);
}

TEST(EliminationPlan, OfAGraphWithoutEdgesHasBinsOnly)
{
    algo::Elimination tree;
    tree.positions.resize(4);
    tree.arcs_to_ancestors_begins = tree.arcs_from_ancestors_begins = {0};
    EXPECT_EQ(EliminationPlan::most(tree, {.chunk = 1024, .chunks = 0, .warps = 8}, 32).bytes(),
              16 + 4 + 4 * 4 + 4 + 2048 * 8U);
}

TEST(DeviceRowsPlan, HasTheSectorsAsTheyAre)
{
    ArcSectors graph;
    graph.sectors.resize(std::size_t{7} * kSectorWords);
    graph.rest_begins.resize(3);
    graph.long_lists = 2;
    graph.rest.resize(20);
    graph.place_of_vertex.resize(9);
    const DeviceRowsPlan plan(ArcSectorsSize::of(graph), 0, 1);
    EXPECT_EQ(plan.sectors.count, graph.sectors.size());
    EXPECT_EQ(plan.rest_begins.count, graph.rest_begins.size());
    EXPECT_EQ(plan.rest.count, graph.rest.size());
    EXPECT_EQ(plan.place_of_vertex.count, graph.place_of_vertex.size());
    EXPECT_EQ(plan.bytes(), (56 + 3 + 20 + 9 + 1 + 1) * 4U);
    // Two launches, each with a counter and its distances.
    EXPECT_EQ(DeviceRowsPlan(ArcSectorsSize::of(graph), 64, 2).bytes(), (56 + 3 + 20 + 9 + 2 + 2 * 64 + 1) * 4U);
}

TEST(DeviceRowsPlan, IsBoundedByVerticesAndArcs)
{
    // A sector, a begin, a place and up to three words to fill up for each of 100 vertices; two
    // words for each of 400 arcs; one more begin, the counter, and the width.
    EXPECT_EQ(DeviceRowsPlan(ArcSectorsSize::most(100, 400), 0, 1).bytes(), (13 * 100 + 2 * 400 + 3) * 4U);
    EXPECT_EQ(DeviceRowsPlan(ArcSectorsSize::most(0, 0), 0, 1).bytes(), 3 * 4U);
}

TEST(CombinedRowsPlan, HasARowForEachVertexWithEdges)
{
    EXPECT_EQ(CombinedRowsPlan(100, 80, 400).bytes(), 80 * 16 + 400 * 8 + 100 * 4 + 80 * 4U);
    EXPECT_EQ(CombinedRowsPlan::most(100, 400).bytes(), 100 * 24 + 400 * 8U);
}

TEST(HopGraphPlan, HasTheListsAsTheyAre)
{
    HopGraph<std::uint16_t> graph;
    graph.place_of_slot.resize(5);
    graph.heads.resize(std::size_t{5} * kHopEntries);
    graph.rests.resize(3);
    graph.chunks.resize(32);
    EXPECT_EQ(HopGraphPlan<std::uint16_t>(graph).bytes(), 80 * 2 + 3 * 4 + 32 * 2U);
    EXPECT_EQ(HopGraphPlan<std::uint16_t>::most(5, 100).bytes(), 80 * 2 + (5 + 1024 + 1) * 4 + 100 * 2U);
    EXPECT_EQ(HopGraphPlan<std::uint32_t>::most(5, 100).bytes(), 80 * 4 + (5 + 1024 + 1) * 4 + 100 * 4U);
}

TEST(HopGraphPlan, IsBoundedByPlacesAndArcs)
{
    // 100 places of degree 17: a chunk each. 1500 places of degree 33 in two batches of up to 1024
    // long places: two chunks each.
    EXPECT_LE(HopGraphPlan<std::uint16_t>(100, 101, 1600).bytes(),
              HopGraphPlan<std::uint16_t>::most(100, 1700).bytes());
    EXPECT_LE(HopGraphPlan<std::uint16_t>(1500, 2049, 48000).bytes(),
              HopGraphPlan<std::uint16_t>::most(1500, 49500).bytes());
}

TEST(HopCounterPlan, HasFactsAndSetsOfPlaces)
{
    // A place for each vertex; a multiplicity and facts of 24 bytes for each place; a count of
    // pairs; the barrier.
    EXPECT_EQ(HopPlacesPlan(10, 8).bytes(), 10 * 4 + 8 * 4 + 8 * 24 + 8 + kBarrierBytes);
    EXPECT_EQ(HopQueuesPlan<std::uint16_t>(132, 1000).bytes(), 132 * 1000 * 2U);
    EXPECT_EQ(HopQueuesPlan<std::uint32_t>(132, 1000).bytes(), 132 * 1000 * 4U);
    EXPECT_EQ(HopSamplePlan(50).bytes(), 50 * 8U);
    EXPECT_EQ(HopSetsPlan(1000).bytes(), 2 * 1000 * 2U);
}

TEST(HopCounterPlan, HasSetsOfAllBatchesInAMatrix)
{
    // Two batches: sets of 128 bytes for three, sizes for two; a pair for each 128 of all, and 4096
    // more.
    EXPECT_EQ(HopMatrixPlan(2048).bytes(),
              3 * 2048 * 128 + 2 * 2048 * 2 + (2048 * 2048 / 128 + 4096) * 8 + 2 * 2048 * 4U);
    EXPECT_EQ(HopMatrixPlan(1).bytes(), 2 * 128 + 2 + 4096 * 8 + 2 * 4U);
}

TEST(HopCounterPlan, DividesTheMatrixAmongRanks)
{
    // Rank 1 has the second of three batches. Sets of 128 bytes for two, sizes for one; pairs of
    // its 1024 targets; facts of 24 bytes; 1024 bitmaps of three whole batches.
    constexpr std::size_t n = 2100;
    const std::size_t sets = 2 * n * 128 + n * 2 + (n * 1024 / 128 + 4096) * 8 + 2 * n * 4 + n * 24;
    EXPECT_EQ(HopMatrixPlan(2100, {1, 2}).bytes(), sets);
    EXPECT_EQ(HopMatrixPlan(2100, {1, 2}, true).bytes(), sets + std::size_t{1024} * 3 * 128);
    // Rank 3 has no batch.
    EXPECT_EQ(HopMatrixPlan(2100, {3, 4}, true).bytes(), 2100 * 128 + 4096 * 8 + 2 * 2100 * 4 + 2100 * 24U);
}

TEST(BitParallelPlan, HasSetsOfSourcesForVerticesWithEdges)
{
    // A slot and a level for each of 10 vertices; three sets of 128 bytes and two flags for each of
    // 8 with edges; twice 1024 counts; the depth; the barrier.
    EXPECT_EQ(BitParallelPlan(10, 8).bytes(), 10 * (4 + 8) + 8 * (3 * 128 + 2) + 2 * 1024 * 4 + 4 + kBarrierBytes);
    // There is one level at least.
    EXPECT_EQ(BitParallelPlan(0, 0).bytes(), 8 + 2 * 1024 * 4 + 4 + kBarrierBytes);
    EXPECT_EQ(BitPlanePlan(8).bytes(), 8 * 128U);
    EXPECT_EQ(SourceFactsPlan(10).bytes(), 10 * 24U);
}

TEST(BulkPlan, AddsUpOverTheMatricesOfABatch)
{
    // 5 arcs of 16 bytes, 3 rows of 4 distances of 2 bytes, and which rows.
    EXPECT_EQ(BulkPlan(5, 3, 4, DistanceType::uint16).bytes(), 5 * 16 + 3 * 4 * 2 + 3 * 4U);
    EXPECT_EQ(BulkPlan(9, 7, 4, DistanceType::float32).bytes(),
              bytes_of(BulkPlan(5, 3, 4, DistanceType::float32), BulkPlan(4, 4, 4, DistanceType::float32)));
}

TEST(RowStride, BeginsRowsAtMultiplesOf16Bytes)
{
    EXPECT_EQ(row_stride(0, DistanceType::int32), 0U);
    EXPECT_EQ(row_stride(1, DistanceType::uint16), 8U);
    EXPECT_EQ(row_stride(8, DistanceType::uint16), 8U);
    EXPECT_EQ(row_stride(9, DistanceType::uint16), 16U);
    EXPECT_EQ(row_stride(5, DistanceType::float32), 8U);
    EXPECT_EQ(row_stride_bytes(5, DistanceType::float32), 32U);
}

TEST(RowBatchPlan, HasRowsAndTheirSources)
{
    EXPECT_EQ(RowBatchPlan(10, 48).bytes(), 10 * 4 + 10 * 48U);
    EXPECT_EQ(RowBatchPlan(65536, 0).bytes(), 65536 * 4U);
    EXPECT_EQ(RowMatrixPlan(10, 48).bytes(), 480U);
    // Facts of 32 bytes for each row, and 1024 bins on each side of 0.
    EXPECT_EQ(RowSummaryPlan(10).bytes(), 10 * 32 + 2 * 1024 * 8U);
}

TEST(MemoryPlansOfAllPairs, DoNotWrapAround)
{
    EXPECT_THROW(FloydWarshallPlan(0x7FFFFFFF, MinPlusSums::floats, 2), ResourceError);
    EXPECT_THROW(RowMatrixPlan(std::size_t{1} << 32, std::size_t{1} << 34), ResourceError);
}

}  // namespace
}  // namespace wayfront::gpu::apsp
