// How much of a graph validation looks at at a time.
#include <gtest/gtest.h>

#include "graph500/validate.hpp"

namespace wayfront::graph500 {
namespace {

TEST(ValidationChunk, IsAnEighthOfTheShareWithinBounds)
{
    EXPECT_EQ(BfsValidator::chunk_for(0), 16384U);
    EXPECT_EQ(BfsValidator::chunk_for(1'000'000), 125'000U);
    EXPECT_EQ(BfsValidator::chunk_for(1'000'000'000), BfsValidator::kDefaultChunk);
}

}  // namespace
}  // namespace wayfront::graph500
