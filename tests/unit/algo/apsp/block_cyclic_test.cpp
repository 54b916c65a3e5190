#include "algo/apsp/block_cyclic.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace wayfront::algo {
namespace {

TEST(BlockCyclicTest, EachTileIsOnOneRank)
{
    for (const comm::GridShape shape : {comm::GridShape{1, 1}, {2, 2}, {3, 2}, {1, 5}, {4, 1}}) {
        for (const std::size_t tiles : std::initializer_list<std::size_t>{1, 2, 3, 7, 12}) {
            std::vector<int> owners(tiles * tiles, 0);
            for (int row = 0; row < shape.rows; ++row) {
                for (int column = 0; column < shape.columns; ++column) {
                    const BlockCyclic own{32, tiles, shape, row, column};
                    std::size_t count = 0;
                    for (std::size_t i = 0; i < tiles; ++i) {
                        for (std::size_t j = 0; j < tiles; ++j) {
                            if (!own.has_row(i) || !own.has_column(j)) continue;
                            ++owners[i * tiles + j];
                            EXPECT_EQ(own.local_row(i) * own.local_columns() + own.local_column(j), count++);
                        }
                    }
                    EXPECT_EQ(own.local_rows() * own.local_columns(), count);
                    EXPECT_EQ(own.columns_of(column), own.local_columns());
                }
            }
            EXPECT_EQ(owners, std::vector<int>(tiles * tiles, 1));
        }
    }
}

}  // namespace
}  // namespace wayfront::algo
