// The room of pieces of paths.
#include "gpu/sssp/stepped/path_estimate.hpp"

#include <gtest/gtest.h>

namespace wayfront::gpu::sssp {
namespace {

TEST(PathEstimate, BeginsWithTheMost)
{
    const PathEstimate estimate(2);
    EXPECT_EQ(estimate.paths(1000, 1), 2000);
    EXPECT_EQ(estimate.paths(1000, 4), 500);
    EXPECT_EQ(estimate.paths(0, 4), 0);
}

TEST(PathEstimate, LearnsFromTheLastStepWithAMargin)
{
    PathEstimate estimate(8);
    estimate.learn(1000, 2000);
    EXPECT_EQ(estimate.paths(1000, 1), 3000);
    estimate.learn(1000, 100);
    EXPECT_EQ(estimate.paths(1000, 1), 150);
    EXPECT_EQ(estimate.paths(1000, 4), 37);
}

TEST(PathEstimate, NeverExceedsTheMost)
{
    PathEstimate estimate(2);
    estimate.learn(16, 5000);
    EXPECT_EQ(estimate.paths(100, 1), 200);
    estimate.learn(0, 5000);  // the sources of all ranks may have no edges
    EXPECT_EQ(estimate.paths(100, 1), 200);
}

}  // namespace
}  // namespace wayfront::gpu::sssp
