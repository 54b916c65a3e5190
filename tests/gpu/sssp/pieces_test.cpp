// The layout of the messages of stepped searches for shortest paths; needs no GPU.
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
            // One more does not fit, apart from what is left of a header's length.
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

}  // namespace
}  // namespace wayfront::gpu::sssp
