// The size of the chunks in which validation reads a graph.
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
