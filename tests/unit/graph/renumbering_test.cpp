#include "graph/renumbering.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

TEST(DegreeClass, TwoClassesToAnOctave)
{
    EXPECT_EQ(degree_class(0), 0U);
    EXPECT_EQ(degree_class(1), 1U);
    EXPECT_EQ(degree_class(2), 2U);
    EXPECT_EQ(degree_class(3), 3U);
    EXPECT_EQ(degree_class(4), 4U);
    EXPECT_EQ(degree_class(5), 4U);
    EXPECT_EQ(degree_class(6), 5U);
    EXPECT_EQ(degree_class(7), 5U);
    EXPECT_EQ(degree_class(8), 6U);
    EXPECT_EQ(degree_class(11), 6U);
    EXPECT_EQ(degree_class(12), 7U);
    EXPECT_EQ(degree_class(15), 7U);
    EXPECT_EQ(degree_class(16), 8U);
}

TEST(DegreeClass, NeverFallsWithTheDegree)
{
    std::uint32_t last = 0;
    for (std::uint64_t degree = 0; degree < 100000; ++degree) {
        const std::uint32_t now = degree_class(degree);
        EXPECT_GE(now, last);
        EXPECT_LE(now, last + 1);
        last = now;
    }
}

TEST(DegreeClass, TheLargestDegrees)
{
    EXPECT_EQ(degree_class((std::uint64_t{1} << 32) - 1), 63U);
    EXPECT_EQ(degree_class(std::uint64_t{1} << 32), 64U);
    EXPECT_EQ(degree_class(std::numeric_limits<std::uint64_t>::max()), 127U);
}

}  // namespace
}  // namespace wayfront
