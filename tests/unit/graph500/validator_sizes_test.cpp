// The sizes of the arrays that validation uses.
#include "graph500/validator_sizes.hpp"

#include <gtest/gtest.h>

namespace wayfront::graph500 {
namespace {

TEST(ValidatorSizes, AChunkIsAnEighthOfTheShareWithinBounds)
{
    EXPECT_EQ(ValidatorSizes::for_share(0).chunk, 16384U);
    EXPECT_EQ(ValidatorSizes::for_share(1'000'000).chunk, 125'000U);
    EXPECT_EQ(ValidatorSizes::for_share(1'000'000'000).chunk, 1'048'576U);
}

TEST(ValidatorSizes, FewVerticesAreGathered)
{
    EXPECT_TRUE(ValidatorSizes::for_share(1'000'000).gathers(2, 1'000'000));
    EXPECT_FALSE(ValidatorSizes::for_share(1'000'000).gathers(2, 1'000'001));
    EXPECT_FALSE(ValidatorSizes::for_share(1'000'000).gathers(1, 10));
    EXPECT_TRUE(ValidatorSizes::for_share(0).gathers(3, 262'144));
    EXPECT_FALSE(ValidatorSizes::for_share(0).gathers(3, 262'145));
    EXPECT_FALSE(ValidatorSizes::for_share(5'000'000'000).gathers(3, 2'147'483'649));
}

}  // namespace
}  // namespace wayfront::graph500
