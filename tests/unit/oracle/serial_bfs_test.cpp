// The oracle itself, on a graph that is small enough to search by hand.
//
//     0 --> 1 --> 3 --> 4      5 --> 0      6 (alone)
//     0 --> 2 --> 3
#include "oracle/serial_bfs.hpp"

#include <gtest/gtest.h>

namespace {

const oracle::Graph kDirected{7, true, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {5, 0}, {2, 2}, {0, 1}}};

TEST(SerialBfs, DirectedLevels)
{
    EXPECT_EQ(oracle::levels(oracle::followers(kDirected), 0), (std::vector<std::int64_t>{0, 1, 1, 2, 3, -1, -1}));
    EXPECT_EQ(oracle::levels(oracle::followers(kDirected), 4), (std::vector<std::int64_t>{-1, -1, -1, -1, 0, -1, -1}));
}

TEST(SerialBfs, UndirectedLevels)
{
    oracle::Graph graph = kDirected;
    graph.directed = false;
    EXPECT_EQ(oracle::levels(oracle::followers(graph), 4), (std::vector<std::int64_t>{3, 2, 2, 1, 0, 4, -1}));
}

TEST(SerialBfs, FindsEachFaultOfATree)
{
    const oracle::Lists follow = oracle::followers(kDirected);
    const std::vector<std::int64_t> levels = oracle::levels(follow, 0);
    const auto fault = [&](const std::vector<std::int64_t>& parents) {
        return oracle::tree_fault(follow, 0, levels, parents);
    };
    EXPECT_EQ(fault({0, 0, 0, 1, 3, -1, -1}), "");
    EXPECT_EQ(fault({0, 0, 0, 2, 3, -1, -1}), "");
    EXPECT_NE(fault({1, 0, 0, 1, 3, -1, -1}), "") << "the key has another parent";
    EXPECT_NE(fault({0, 0, 0, 1, -1, -1, -1}), "") << "a reached vertex has none";
    EXPECT_NE(fault({0, 0, 0, 1, 3, 0, -1}), "") << "an unreached vertex has one";
    EXPECT_NE(fault({0, 0, 0, 0, 3, -1, -1}), "") << "a parent two levels above";
    EXPECT_NE(fault({0, 0, 0, 1, 2, -1, -1}), "") << "a parent two levels above";
    EXPECT_NE(fault({0, 2, 0, 1, 3, -1, -1}), "") << "a parent on the same level";
    EXPECT_NE(fault({0, 0, 0, 1, 9, -1, -1}), "") << "a parent that is no vertex";
    EXPECT_NE(fault({0, 0, 0, 1, 3, -1}), "") << "too few parents";
    EXPECT_NE(oracle::tree_fault(oracle::followers({4, true, {{0, 1}, {0, 2}, {1, 3}}}), 0, {0, 1, 1, 2}, {0, 0, 0, 2}),
              "")
        << "no such edge";
}

TEST(SerialBfs, TheSmallestParentIsTheLeastOfTheLevelAbove)
{
    const oracle::Lists follow = oracle::followers(kDirected);
    EXPECT_EQ(oracle::smallest_parents(follow, 0, oracle::levels(follow, 0)),
              (std::vector<std::int64_t>{0, 0, 0, 1, 3, -1, -1}));
}

}  // namespace
