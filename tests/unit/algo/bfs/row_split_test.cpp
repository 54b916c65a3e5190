// Blocks that are divided by rows: each edge is in one of the two parts, and the shares are as
// requested.
#include "algo/bfs/row_split.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/block_testing.hpp"

namespace wayfront {
namespace {

/// The edges of a part in the block's numbers, by its rows and by its columns.
std::pair<BlockEdges, BlockEdges> edges_of(const CsrBlock& part, std::span<const std::uint32_t> words)
{
    const auto whole_row = [&](std::uint32_t row) { return words[row / 64] * 64 + row % 64; };
    BlockEdges by_row;
    BlockEdges by_column;
    const CsrView in = part.in_edges.view();
    for (std::uint32_t row = 0; row < part.rows(); ++row)
        for (std::uint64_t e = in.begin(row); e < in.end(row); ++e) by_row.emplace(whole_row(row), in.neighbours[e]);
    const CsrView out = part.out_edges().view();
    for (std::uint32_t column = 0; column < part.cols(); ++column)
        for (std::uint64_t e = out.begin(column); e < out.end(column); ++e)
            by_column.emplace(whole_row(out.neighbours[e]), column);
    return {by_row, by_column};
}

void check_split(const CsrBlock& block, const BlockEdges& edges, double share)
{
    SCOPED_TRACE("share " + std::to_string(share));
    const RowSplit split = split_rows(block, share);
    Indices words;
    BlockEdges together;
    for (const HostBuffer<std::uint32_t>& part_words : split) {
        const CsrBlock part = take_rows(block, part_words.span());
        ASSERT_EQ(part.rows(), 64 * part_words.size());
        ASSERT_EQ(part.cols(), block.cols());
        const auto [by_row, by_column] = edges_of(part, part_words.span());
        EXPECT_EQ(by_row, by_column);
        EXPECT_EQ(part.in_edges.edges(), by_row.size());
        EXPECT_EQ(part.out_edges().edges(), by_row.size());
        for (std::size_t i = 0; i < part_words.size(); ++i)
            EXPECT_TRUE(words.insert(part_words[i]).second) << "word " << part_words[i] << " twice";
        for (const auto& edge : by_row) EXPECT_TRUE(together.insert(edge).second);
        for (std::uint32_t row = 0; row < part.rows(); ++row)
            ASSERT_EQ(part.first_in_neighbour[row], block.first_in_neighbour[part_words[row / 64] * 64 + row % 64]);
    }
    EXPECT_EQ(words.size(), word_count(block.rows()));
    EXPECT_EQ(together, edges);
}

TEST(RowSplit, EveryRowIsInOnePart)
{
    const BlockEdges square = random_edges(4000, 640, 640, 1);
    const BlockEdges wide = random_edges(3000, 64, 1024, 2);
    const BlockEdges tall = random_edges(3000, 1024, 64, 3);
    for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        check_split(make_block(640, 1, 1, square), square, share);
        check_split(make_block(64, 1, 16, wide), wide, share);
        check_split(make_block(64, 16, 1, tall), tall, share);
        check_split(make_block(128, 2, 3, {}), {}, share);
        check_split(make_block(0, 1, 1, {}), {}, share);
    }
}

TEST(RowSplit, TheListsOfASymmetricBlock)
{
    BlockEdges edges;
    for (const auto& [row, column] : random_edges(900, 256, 256, 10)) {
        edges.emplace(row, column);
        edges.emplace(column, row);
    }
    CsrBlock block = make_block(256, 1, 1, edges);
    block.out_edges_stored = {};
    block.symmetric = true;
    check_split(block, edges, 0.4);
}

TEST(RowSplit, SharesOfNothingAndAllAreExact)
{
    // Most words have no edges.
    const CsrBlock block = make_block(256, 1, 1, random_edges(100, 64, 256, 4));
    EXPECT_TRUE(split_rows(block, 0)[0].empty());
    EXPECT_TRUE(split_rows(block, 1)[1].empty());
}

TEST(RowSplit, EveryStretchOfRowsHasItsShareOfTheEdges)
{
    // Degrees fall from 64 to 1 along the rows, as construction numbers them.
    BlockEdges edges;
    for (std::uint32_t row = 0; row < 6400; ++row)
        for (std::uint32_t column = 0; column < 64 - row / 100; ++column) edges.emplace(row, column);
    const CsrBlock block = make_block(6400, 1, 1, edges);
    for (const double share : {0.1, 0.25, 0.5, 0.75}) {
        SCOPED_TRACE(share);
        const RowSplit split = split_rows(block, share);
        for (const std::uint32_t first : {0U, 20U, 40U, 60U, 80U}) {
            double part = 0;
            double all = 0;
            const CsrView lists = block.in_edges.view();
            for (std::uint32_t w = first; w < first + 20; ++w) {
                const auto count = static_cast<double>(lists.begin(w * 64 + 64) - lists.begin(w * 64));
                all += count;
                if (std::ranges::binary_search(split[0], w)) part += count;
            }
            EXPECT_NEAR(part / all, share, 0.06) << "words from " << first;
        }
    }
}

}  // namespace
}  // namespace wayfront
