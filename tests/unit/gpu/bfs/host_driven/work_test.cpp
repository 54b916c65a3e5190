// The arithmetic by which the GPU engine divides levels into work, which host and device share.
#include "gpu/bfs/host_driven/work.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace wayfront::gpu {
namespace {

TEST(GpuWork, PiecesOfAList)
{
    EXPECT_EQ(wide_pieces(0), 0U);
    EXPECT_EQ(wide_pieces(kWideFrom - 1), 0U);
    EXPECT_EQ(wide_pieces(kWideFrom), 1U);
    EXPECT_EQ(wide_pieces(kPieceEdges), 1U);
    EXPECT_EQ(wide_pieces(kPieceEdges + 1), 2U);
    EXPECT_EQ(wide_pieces(std::uint64_t{1} << 32), (std::uint64_t{1} << 32) / kPieceEdges);
}

TEST(GpuWork, AListCountsOnOneSideOnly)
{
    EXPECT_EQ(TileSum::of_list(0).narrow_edges(), 0U);
    EXPECT_EQ(TileSum::of_list(0).pieces(), 0U);
    EXPECT_EQ(TileSum::of_list(kWideFrom - 1).narrow_edges(), kWideFrom - 1);
    EXPECT_EQ(TileSum::of_list(kWideFrom - 1).pieces(), 0U);
    EXPECT_EQ(TileSum::of_list(kWideFrom).narrow_edges(), 0U);
    EXPECT_EQ(TileSum::of_list(kWideFrom).pieces(), 1U);
}

TEST(GpuWork, SumsOfAFullTileDoNotMix)
{
    TileSum narrow;
    TileSum wide;
    for (std::uint32_t i = 0; i < kTileVertices; ++i) {
        narrow.packed += TileSum::of_list(kWideFrom - 1).packed;
        wide.packed += TileSum::of_list((std::uint64_t{1} << 32) - 1).packed;
    }
    EXPECT_EQ(narrow.narrow_edges(), kTileVertices * (kWideFrom - 1));
    EXPECT_EQ(narrow.pieces(), 0U);
    EXPECT_EQ(wide.narrow_edges(), 0U);
    EXPECT_EQ(wide.pieces(), kTileVertices * wide_pieces((std::uint64_t{1} << 32) - 1));
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
        ASSERT_EQ(list_of_edge(before.data(), static_cast<std::uint32_t>(degrees.size()), edge), owners[edge]) << "edge " << edge;
}

TEST(GpuWork, TheListOfAnEdge)
{
    check_lists_of_edges({1});
    check_lists_of_edges({5});
    check_lists_of_edges({0, 3});
    check_lists_of_edges({3, 0, 0, 0, 1, 0});
    check_lists_of_edges({0, 0, 2, 0, 7, 1, 1, 0, 0, 31, 0});
    check_lists_of_edges(std::vector<std::uint32_t>(kTileVertices, 1));
    check_lists_of_edges(std::vector<std::uint32_t>(kTileVertices, kWideFrom - 1));
    std::vector<std::uint32_t> last(kTileVertices, 0);
    last.back() = 9;
    check_lists_of_edges(last);
    std::vector<std::uint32_t> first(kTileVertices, 0);
    first.front() = 9;
    check_lists_of_edges(first);
}

TEST(GpuWork, BitsOfHalfWordsAreThoseOfTheHostsWords)
{
    const std::vector<std::uint64_t> words{0x8000000100000001, 0x0000000280000000};
    const auto* const halves = reinterpret_cast<const std::uint32_t*>(words.data());
    for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(has_bit(halves, i), ((words[i / 64] >> (i % 64)) & 1U) != 0) << i;
}

TEST(GpuWork, TheFormOfFewerBytes)
{
    EXPECT_TRUE(shorter_as_list(0, 64));
    EXPECT_TRUE(shorter_as_list(1, 64));
    EXPECT_FALSE(shorter_as_list(2, 64));
    EXPECT_FALSE(shorter_as_list(0, 0));
    EXPECT_TRUE(shorter_as_list((1U << 27) - 1, std::uint64_t{1} << 32));
    EXPECT_FALSE(shorter_as_list(1U << 27, std::uint64_t{1} << 32));
}

}  // namespace
}  // namespace wayfront::gpu
