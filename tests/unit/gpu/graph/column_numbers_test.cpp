// The numbering of the columns of all ranks.
#include "gpu/graph/column_numbers.hpp"

#include <set>

#include <gtest/gtest.h>

namespace wayfront::gpu {
namespace {

ColumnNumbers numbers(std::uint32_t ranks, std::uint32_t rank, std::uint32_t tiles)
{
    ColumnNumbers columns;
    columns.set_ranks(ranks, rank);
    columns.slot_stride = tiles * kTileSlots;
    return columns;
}

TEST(ColumnNumbers, AreDifferentAndLeadBackToTheirOwners)
{
    for (std::uint32_t ranks = 1; ranks <= 9; ++ranks) {
        const ColumnNumbers columns = numbers(ranks, ranks - 1, 3);
        std::set<std::uint32_t> seen;
        for (std::uint32_t owner = 0; owner < ranks; ++owner)
            for (std::uint32_t slot = 0; slot < columns.slot_stride; slot += 341) {
                const std::uint32_t column = columns.column(owner, slot);
                EXPECT_LT(column, columns.cols());
                EXPECT_EQ(columns.owner_of(column), owner);
                EXPECT_EQ(columns.slot_of(column), slot);
                EXPECT_TRUE(seen.insert(column).second);
            }
        EXPECT_EQ(columns.own_column(5), columns.column(ranks - 1, 5));
    }
}

/// The division by the number of ranks is a multiplication, which must be exact for all tiles.
TEST(ColumnNumbers, LeadBackToTheirOwnersAtTheLastTiles)
{
    constexpr std::uint32_t tiles = (std::uint32_t{1} << 22) - 1;
    for (const std::uint32_t ranks : {1U, 2U, 3U, 5U, 6U, 7U, 8U, 9U, 13U, 64U, 1000U, 1023U, 1024U}) {
        const ColumnNumbers columns = numbers(ranks, 0, tiles / ranks);
        for (std::uint32_t tile = tiles - 3000; tile < tiles; ++tile) {
            const std::uint32_t column = tile * kTileSlots + tile % kTileSlots;
            EXPECT_EQ(columns.owner_of(column), tile % ranks);
            EXPECT_EQ(columns.slot_of(column), tile / ranks * kTileSlots + tile % kTileSlots);
        }
    }
}

/// With a number of slots that is no multiple of a tile.
TEST(ColumnNumbers, OfOneRankAreSlots)
{
    ColumnNumbers columns;
    columns.slot_stride = 64 * 7;
    for (std::uint32_t slot = 0; slot < columns.slot_stride; ++slot) {
        EXPECT_EQ(columns.own_column(slot), slot);
        EXPECT_EQ(columns.column(0, slot), slot);
        EXPECT_EQ(columns.slot_of(slot), slot);
    }
    EXPECT_EQ(columns.cols(), columns.slot_stride);
}

}  // namespace
}  // namespace wayfront::gpu
