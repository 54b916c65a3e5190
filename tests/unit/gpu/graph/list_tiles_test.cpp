// The arithmetic by which kernels divide many lists into work.
#include "gpu/graph/list_tiles.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace wayfront::gpu {
namespace {

TEST(GpuListTiles, PiecesOfAList)
{
    EXPECT_EQ(wide_pieces(0), 0U);
    EXPECT_EQ(wide_pieces(kWideFrom - 1), 0U);
    EXPECT_EQ(wide_pieces(kWideFrom), 1U);
    EXPECT_EQ(wide_pieces(kPieceEdges), 1U);
    EXPECT_EQ(wide_pieces(kPieceEdges + 1), 2U);
    EXPECT_EQ(wide_pieces(std::uint64_t{1} << 32), (std::uint64_t{1} << 32) / kPieceEdges);
}

TEST(GpuListTiles, AListCountsOnOneSideOnly)
{
    EXPECT_EQ(TileSum::of_list(0).narrow_edges(), 0U);
    EXPECT_EQ(TileSum::of_list(0).pieces(), 0U);
    EXPECT_EQ(TileSum::of_list(kWideFrom - 1).narrow_edges(), kWideFrom - 1);
    EXPECT_EQ(TileSum::of_list(kWideFrom - 1).pieces(), 0U);
    EXPECT_EQ(TileSum::of_list(kWideFrom).narrow_edges(), 0U);
    EXPECT_EQ(TileSum::of_list(kWideFrom).pieces(), 1U);
}

TEST(GpuListTiles, SumsOfAFullTileDoNotMix)
{
    TileSum narrow;
    TileSum wide;
    for (std::uint32_t i = 0; i < kTileLists; ++i) {
        narrow.packed += TileSum::of_list(kWideFrom - 1).packed;
        wide.packed += TileSum::of_list((std::uint64_t{1} << 32) - 1).packed;
    }
    EXPECT_EQ(narrow.narrow_edges(), kTileLists * (kWideFrom - 1));
    EXPECT_EQ(narrow.pieces(), 0U);
    EXPECT_EQ(wide.narrow_edges(), 0U);
    EXPECT_EQ(wide.pieces(), kTileLists * wide_pieces((std::uint64_t{1} << 32) - 1));
    const TileSum both{narrow.packed + wide.packed};
    EXPECT_EQ(both.narrow_edges(), narrow.narrow_edges());
    EXPECT_EQ(both.pieces(), wide.pieces());
}

void check_lists_of_edges(const std::vector<std::uint32_t>& degrees)
{
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> owners;
    for (std::uint32_t i = 0; i < degrees.size(); ++i) {
        before.push_back(static_cast<std::uint32_t>(owners.size()));
        owners.insert(owners.end(), degrees[i], i);
    }
    for (std::uint32_t edge = 0; edge < owners.size(); ++edge)
        ASSERT_EQ(list_of_edge(before.data(), static_cast<std::uint32_t>(degrees.size()), edge), owners[edge])
            << "edge " << edge;
}

TEST(GpuListTiles, TheListOfAnEdge)
{
    check_lists_of_edges({1});
    check_lists_of_edges({5});
    check_lists_of_edges({0, 3});
    check_lists_of_edges({3, 0, 0, 0, 1, 0});
    check_lists_of_edges({0, 0, 2, 0, 7, 1, 1, 0, 0, 31, 0});
    check_lists_of_edges(std::vector<std::uint32_t>(kTileLists, 1));
    check_lists_of_edges(std::vector<std::uint32_t>(kTileLists, kWideFrom - 1));
    std::vector<std::uint32_t> last(kTileLists, 0);
    last.back() = 9;
    check_lists_of_edges(last);
    std::vector<std::uint32_t> first(kTileLists, 0);
    first.front() = 9;
    check_lists_of_edges(first);
}

}  // namespace
}  // namespace wayfront::gpu
