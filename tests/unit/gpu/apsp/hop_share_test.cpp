// The division of batches of targets among ranks.
#include "gpu/apsp/hops/hop_share.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::gpu::apsp {
namespace {

TEST(HopShare, GivesEachPlaceToOneRank)
{
    for (const std::uint32_t places : {1U, 1023U, 1024U, 1025U, 5000U, 6144U})
        for (const std::uint32_t ranks : {1U, 2U, 3U, 4U, 9U}) {
            const std::uint32_t batches = (places + kHopTargets - 1) / kHopTargets;
            std::vector<int> owners(places, 0);
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                const HopShare share{rank, ranks};
                std::uint32_t own = 0;
                for (std::uint32_t i = 0; i < share.batches_of(batches) * kHopTargets; ++i) {
                    const std::uint32_t place = share.place(i);
                    EXPECT_TRUE(share.has(place / kHopTargets));
                    EXPECT_EQ(share.number(place / kHopTargets), i / kHopTargets);
                    EXPECT_EQ(share.batch(i / kHopTargets), place / kHopTargets);
                    if (place >= places) continue;
                    ++owners[place];
                    ++own;
                }
                EXPECT_EQ(share.places_of(places), own);
            }
            EXPECT_EQ(owners, std::vector<int>(places, 1)) << places << " places, " << ranks << " ranks";
        }
}

}  // namespace
}  // namespace wayfront::gpu::apsp
