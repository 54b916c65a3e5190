// Compares estimates of device memory at several scales with fixed numbers, so that a change of a
// plan does not change estimates by accident.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/bfs/device_search.hpp"
#include "gpu/bfs/upload_memory.hpp"
#include "gpu/graph/device_graph_plan.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/distance_validation.hpp"
#include "gpu/kron/validation.hpp"

namespace wayfront::gpu {
namespace {

/// The expected bytes, as written sums.
struct Told
{
    int scale;
    int ranks;
    std::size_t graph;
    std::size_t least;
    std::size_t one_batch;
    std::size_t validation;
    std::size_t resident[2];  // bytes without levels, bytes with levels
    std::size_t stepped[2];
    std::size_t upload[2];  // bytes of the upload for the resident search, and for the stepped search
};

const std::vector<Told> kTold = {
    {10, 1, 192512, 537186312, 537579528, 20384, {2122000, 2126096}, {19464, 27656}, {539189784, 537202952}},
    {20,
     1,
     174653440,
     840564744,
     1257668616,
     1198880,
     {31719440, 40108048},
     {19661064, 28049672},
     {876871688, 876871688}},
    {20,
     3,
     61122368,
     641866032,
     786445154,
     5524928,
     {29458616, 30856720},
     {409478408, 412277344},
     {653049864, 1017786304}},
    {26,
     1,
     10695442432,
     19559809032,
     46564556808,
     75516704,
     {1923088400, 2459959312},
     {1258291464, 1795162376},
     {22296920072, 22296920072}},
    {26,
     8,
     1480146452,
     3078769712,
     6756069873,
     352340768,
     {432013328, 499122192},
     {581959944, 649068808},
     {3491758088, 3491758088}},
    {28,
     2,
     21770207556,
     39335895696,
     95134981805,
     1409305376,
     {4424990736, 5498732560},
     {2969567496, 4043309320},
     {44593840136, 44593840136}},
    {31,
     8,
     45333676684,
     80040052000,
     198584089959,
     11274308384,
     {12492734480, 14640218128},
     {6140461320, 8287944968},
     {95093260296, 95093260296}},
};

TEST(MemoryEstimates, AreThoseOfSumsByHand)
{
    for (const Told& told : kTold) {
        SCOPED_TRACE("scale " + std::to_string(told.scale) + ", " + std::to_string(told.ranks) + " ranks");
        const EdgeCount tuples = EdgeCount{16} << told.scale;
        const Vertex vertices = Vertex{1} << told.scale;
        const auto ranks = static_cast<std::size_t>(told.ranks);
        const std::size_t own = (static_cast<std::size_t>(vertices) + ranks - 1) / ranks;
        const auto slots = static_cast<std::uint32_t>((own + kTileSlots - 1) / kTileSlots * kTileSlots);
        const std::uint64_t lists = 2 * static_cast<std::uint64_t>(tuples) / ranks;

        // The expected numbers do not contain the two bitmaps of LocalSlots and the last element of
        // each array of offsets.
        const std::size_t bitmaps = 2 * LocalSlotsPlan::words(own) * sizeof(std::uint32_t);
        const kron::ConstructionMemory construction = kron::construction_memory(told.scale, tuples, told.ranks);
        EXPECT_EQ(construction.graph_bytes, told.graph + bitmaps);
        EXPECT_EQ(construction.least_bytes, told.least + bitmaps);
        EXPECT_EQ(construction.one_batch_bytes, told.one_batch + 2 * sizeof(std::uint64_t));

        EXPECT_EQ(kron::KronValidator::device_bytes(vertices, told.ranks), told.validation);
        const std::size_t distances = told.ranks > 1 ? ranks * ((own + 63) / 64 * 64) * sizeof(float) : 0;
        EXPECT_EQ(kron::KronDistanceValidator::device_bytes(vertices, told.ranks), told.validation + distances);
        for (const bool levels : {false, true}) {
            EXPECT_EQ(bfs::search_state_bytes(bfs::SearchKind::resident, {slots, own, lists}, told.ranks, levels),
                      told.resident[levels]);
            EXPECT_EQ(bfs::search_state_bytes(bfs::SearchKind::stepped, {slots, own, lists}, told.ranks, levels),
                      told.stepped[levels]);
        }
        for (const bfs::SearchKind kind : {bfs::SearchKind::resident, bfs::SearchKind::stepped}) {
            const std::size_t bytes = bfs::upload_memory(kind, {vertices, tuples}, {told.ranks, 1});
            const std::size_t before = told.upload[kind == bfs::SearchKind::stepped];
            EXPECT_GE(bytes, before);
            EXPECT_LE(bytes, before + 2 * sizeof(std::uint64_t));
        }
    }
}

}  // namespace
}  // namespace wayfront::gpu
