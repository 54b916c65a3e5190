// Tests of the layout of the messages of stepped searches for shortest paths. These tests need no
// GPU.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "gpu/sssp/stepped/messages.hpp"

namespace wayfront::gpu::sssp {
namespace {

TEST(Pieces, HaveRoomForWhatTheirBytesTell)
{
    using Updates = Pieces<BoundsUpdate>;
    for (const std::size_t bit_bytes : {std::size_t{0}, std::size_t{64}, std::size_t{192}})
        for (std::size_t bytes = 0; bytes < 2000; bytes += 8) {
            const std::size_t most = Updates::most_items(bytes);
            if (most > 0) {
                EXPECT_LE(Updates::bytes_for(most, bit_bytes), bytes + bit_bytes) << bytes;
            }
            // A piece with one more item does not fit, apart from padding to the length of a
            // header.
            EXPECT_GT(Updates::bytes_for(most + 1 + sizeof(PieceHeader) / sizeof(BoundsUpdate)), bytes) << bytes;
        }
}

TEST(Pieces, OfAllRanksFollowEachOther)
{
    std::array<std::byte, 4096> memory{};
    const Pieces<OfferedPath> pieces{memory.data(), 3, 5, 128};
    EXPECT_EQ(pieces.piece_bytes() % sizeof(PieceHeader), 0);
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        const auto* const begin = memory.data() + rank * pieces.piece_bytes();
        EXPECT_EQ(reinterpret_cast<const std::byte*>(&pieces.header(rank)), begin);
        EXPECT_EQ(pieces.bits(rank), begin + sizeof(PieceHeader));
        EXPECT_EQ(reinterpret_cast<const std::byte*>(pieces.items(rank)), pieces.bits(rank) + 128);
        EXPECT_LE(reinterpret_cast<const std::byte*>(pieces.items(rank) + 5), begin + pieces.piece_bytes());
    }
}

TEST(Pieces, UsedBytesEndBehindTheItems)
{
    std::array<std::byte, 1024> memory{};
    const Pieces<BoundsUpdate> with_bits{memory.data(), 1, 20, 128};
    with_bits.header(0) = {3, 3, SsspCounts::none(), 3, 128};
    EXPECT_EQ(Pieces<BoundsUpdate>::used_bytes(memory.data(), with_bits.piece_bytes()), sizeof(PieceHeader) + 128 + 64);
    const Pieces<OfferedPath> pieces{memory.data(), 1, 20};
    for (const std::uint64_t items : {0U, 1U, 19U, 20U, 25U}) {
        pieces.header(0) = {items, items, SsspCounts::none(), items, 0};
        const std::size_t used = Pieces<OfferedPath>::used_bytes(memory.data(), pieces.piece_bytes());
        EXPECT_LE(used, pieces.piece_bytes());
        const std::size_t needed = sizeof(PieceHeader) + std::min<std::size_t>(items, 20) * sizeof(OfferedPath);
        EXPECT_GE(used, needed) << items;
        EXPECT_LT(used, needed + sizeof(PieceHeader)) << items;
    }
}

TEST(PackedBounds, RoundLowerBoundsDown)
{
    PackedBounds packed{};
    for (const std::uint32_t upper : {0U, 1U, 7U, 1000U, 0x3F800000U, 0xFFFFFF00U})
        for (const std::uint32_t lower : {0U, 2U, 6U, 998U, 0x3F7FFFFEU, 0x3F800000U, 0xFFFFFF00U}) {
            if (lower > upper) continue;
            for (std::uint32_t i = 0; i < PackedBounds::kCount; ++i) {
                packed.set(i, StoredBounds::open(upper, lower));
                const StoredBounds bounds = packed.bounds(i);
                EXPECT_EQ(bounds.upper, upper);
                EXPECT_FALSE(bounds.is_final());
                EXPECT_LE(bounds.second, lower);
                // The stored gap is less than twice the real gap, and the stored bound is even.
                EXPECT_LE(upper - bounds.second, 2 * std::uint64_t{upper - (lower & ~1U)} + 1) << upper << ' ' << lower;
            }
        }
}

TEST(PackedBounds, KeepFinalDistances)
{
    PackedBounds packed{};
    for (std::uint32_t i = 0; i < PackedBounds::kCount; ++i) packed.set(i, StoredBounds::final(100 + i, 5));
    packed.set(1, {0xFFFFFFFE, StoredBounds::kParentElsewhere});
    packed.set(2, StoredBounds::open(50, 40));
    EXPECT_TRUE(packed.bounds(0).is_final());
    EXPECT_EQ(packed.bounds(0).upper, 100U);
    EXPECT_FALSE(packed.bounds(0).has_parent());  // the parent is in the owner's memory
    EXPECT_EQ(packed.bounds(1).upper, 0xFFFFFFFEU);
    EXPECT_TRUE(packed.bounds(1).is_final());
    EXPECT_FALSE(packed.bounds(2).is_final());
    EXPECT_EQ(packed.bounds(3).upper, 103U);
}

}  // namespace
}  // namespace wayfront::gpu::sssp
