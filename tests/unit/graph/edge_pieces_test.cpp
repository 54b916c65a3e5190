// The edges of a block in pieces, as they were received.
#include <cstdint>
#include <utility>
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

template <typename Word>
class EdgePieces : public testing::Test
{
};
using Words = testing::Types<Unweighted, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(EdgePieces, Words);

TYPED_TEST(EdgePieces, ARangeVisitsItsPlacesAcrossPieces)
{
    using Edges = BlockEdges<TypeParam>;
    Edges edges;
    std::vector<std::uint64_t> all;
    for (const std::size_t size : {3U, 0U, 1U, 5U}) {
        typename Edges::Piece piece(size);
        EXPECT_EQ(piece.weights.size(), Edges::kWeighted ? size : 0);
        for (std::size_t i = 0; i < size; ++i) {
            piece.edges[i] = {all.size() % 4 == 2 ? Edges::kNoEdge : all.size()};
            if constexpr (Edges::kWeighted) piece.weights[i] = static_cast<TypeParam>(100 + all.size());
            all.push_back(piece.edges[i].packed);
        }
        edges.add(std::move(piece));
    }
    ASSERT_EQ(edges.size(), 9U);
    for (std::size_t first = 0; first <= 9; ++first)
        for (std::size_t last = first; last <= 9; ++last) {
            std::vector<std::uint64_t> wanted;
            for (std::size_t i = first; i < last; ++i)
                if (all[i] != Edges::kNoEdge) wanted.push_back(all[i]);
            std::vector<std::uint64_t> visited;
            edges.for_each(first, last, [&](BlockEdge edge, TypeParam weight) {
                visited.push_back(edge.packed);
                if constexpr (Edges::kWeighted) {
                    EXPECT_EQ(weight, 100 + edge.packed);
                }
            });
            EXPECT_EQ(visited, wanted) << "places " << first << " to " << last;
        }
}

}  // namespace
}  // namespace wayfront
