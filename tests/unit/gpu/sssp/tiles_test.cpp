#include "gpu/papers/dense/tiles.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace wayfront::gpu::sssp {
namespace {

// Bytes of shared memory in the paper's table 2.
constexpr std::size_t kPaper = std::size_t{48} * 1024;
constexpr std::size_t kHopper = std::size_t{226} * 1024;

TEST(DenseFormulas, AreThoseOfThePaper)
{
    EXPECT_EQ(most_columns_without_matrix(512, kPaper), 5888U);
    EXPECT_EQ(most_columns_without_matrix(1024, kPaper), 5632U);
    EXPECT_EQ(most_columns_without_matrix(2048, kPaper), 5120U);
    EXPECT_EQ(most_columns_without_matrix(8192, kPaper), 2048U);
    EXPECT_EQ(most_columns_with_matrix(512, kPaper), 22U);  // the paper rounds 22.9 up to 23
    EXPECT_EQ(most_columns_with_matrix(1024, kPaper), 10U);
    EXPECT_EQ(most_columns_with_matrix(2048, kPaper), 4U);  // 4.995
    EXPECT_EQ(most_columns_with_matrix(8192, kPaper), 0U);
    EXPECT_EQ(most_columns_with_matrix(20000, kPaper), 0U);
}

TEST(DenseTiles, ContainEveryElementOnce)
{
    for (const std::uint32_t n : {1U, 2U, 31U, 33U, 1000U}) {
        const DenseTiles tiles = divide_columns(n, 132, kHopper, true);
        EXPECT_LE(tiles.tiles, 132U);
        EXPECT_GE(tiles.padded_columns(), n);
        std::vector<bool> used(tiles.words());
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; j < n; ++j) {
                const std::size_t place = tiles.place(i, j);
                ASSERT_LT(place, used.size());
                EXPECT_FALSE(used[place]);
                used[place] = true;
            }
    }
}

TEST(DenseTiles, AreInSharedMemoryIfTheyFit)
{
    for (const std::uint32_t n : {1U, 512U, 1024U, 2048U}) {
        const DenseTiles tiles = divide_columns(n, 132, kHopper, true);
        EXPECT_TRUE(tiles.in_shared_memory) << n;
        EXPECT_LE(tiles.layout().bytes, kHopper);
        const DenseTiles same = divide_columns(n, 132, kHopper, false);
        EXPECT_FALSE(same.in_shared_memory);
        EXPECT_EQ(same.columns, tiles.columns);
    }
    for (const std::uint32_t n : {4096U, 8192U, 32768U, 132U * kMostColumns}) {
        const DenseTiles tiles = divide_columns(n, 132, kHopper, true);
        EXPECT_FALSE(tiles.in_shared_memory) << n;
        EXPECT_LE(tiles.layout().bytes, kHopper);
        EXPECT_GE(tiles.groups(), 1U);
        EXPECT_LE(tiles.tiles, 132U);
    }
}

TEST(DenseTiles, PartsOfTheLayoutAreAligned)
{
    for (std::uint32_t n = 1; n < 40; ++n) {
        const DenseLayout layout = divide_columns(n, 132, kHopper, true).layout();
        EXPECT_EQ(layout.vertices % 16, 0U);
        EXPECT_EQ(layout.partial % 16, 0U);
        EXPECT_EQ(layout.matrix % 16, 0U);
        EXPECT_GE(layout.vertices, n * kWordBytes);
    }
}

}  // namespace
}  // namespace wayfront::gpu::sssp
