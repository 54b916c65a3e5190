// The edges of a block in the pieces in which they came.
#include <vector>

#include <gtest/gtest.h>

#include "graph/edge_exchange.hpp"

namespace wayfront {
namespace {

TEST(BlockEdge, RowAboveColumn)
{
    const BlockEdge edge = BlockEdge::make({0xFFFFFFBF}, {7});
    EXPECT_EQ(edge.row(), 0xFFFFFFBFU);
    EXPECT_EQ(edge.col(), 7U);
    EXPECT_EQ(BlockEdge::make({1}, {0xFFFFFFBF}).row(), 1U);
    EXPECT_EQ(BlockEdge::make({1}, {0xFFFFFFBF}).col(), 0xFFFFFFBFU);
}

TEST(BlockEdges, ARangeVisitsItsPlacesAcrossPieces)
{
    BlockEdges edges;
    std::vector<std::uint64_t> all;
    for (const std::size_t size : {3U, 0U, 1U, 5U}) {
        HostBuffer<BlockEdge> piece(size);
        for (BlockEdge& edge : piece) {
            edge = {all.size() % 4 == 2 ? BlockEdges::kNoEdge : all.size()};
            all.push_back(edge.packed);
        }
        edges.add(std::move(piece));
    }
    ASSERT_EQ(edges.size(), 9U);
    for (std::size_t first = 0; first <= 9; ++first)
        for (std::size_t last = first; last <= 9; ++last) {
            std::vector<std::uint64_t> wanted;
            for (std::size_t i = first; i < last; ++i)
                if (all[i] != BlockEdges::kNoEdge) wanted.push_back(all[i]);
            std::vector<std::uint64_t> visited;
            edges.for_each(first, last, [&](BlockEdge edge) { visited.push_back(edge.packed); });
            EXPECT_EQ(visited, wanted) << "places " << first << " to " << last;
        }
}

}  // namespace
}  // namespace wayfront
