#include <string>

#include <gtest/gtest.h>

#include "comm/process_grid.hpp"

namespace wayfront::comm {
namespace {

TEST(GridShape, IsReadAsRowsByColumns)
{
    EXPECT_EQ(parse_grid_shape("1x1"), (GridShape{1, 1}));
    EXPECT_EQ(parse_grid_shape("2x3"), (GridShape{2, 3}));
    EXPECT_EQ(parse_grid_shape("128x16"), (GridShape{128, 16}));
    EXPECT_EQ(parse_grid_shape("2x3").size(), 6);
}

TEST(GridShape, NamesWhatItFoundInsteadOfAShape)
{
    for (const std::string text : {"", "x", "2", "2x", "x3", "0x3", "2x0", "-2x3", "2x-3", "2x3x4", " 2x3", "2x3 ",
                                   "2X3", "2*3", "axb", "2.5x3", "+2x3", "99999999999x1", "1x99999999999"}) {
        try {
            parse_grid_shape(text);
            FAIL() << "'" << text << "' was read";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("'" + text + "'"), std::string::npos) << error.what();
        }
    }
}

TEST(GridShape, TheDefaultIsOneColumnOnOneHost)
{
    for (const int ranks : {1, 2, 4, 6, 7, 64}) {
        EXPECT_EQ(default_grid_shape(ranks, ranks), (GridShape{ranks, 1}));
        EXPECT_EQ(default_grid_shape(ranks, 100), (GridShape{ranks, 1}));
    }
}

TEST(GridShape, TheDefaultIsNearlySquareOverHosts)
{
    EXPECT_EQ(default_grid_shape(2, 1), (GridShape{2, 1}));
    EXPECT_EQ(default_grid_shape(4, 1), (GridShape{2, 2}));
    EXPECT_EQ(default_grid_shape(6, 2), (GridShape{3, 2}));
    EXPECT_EQ(default_grid_shape(7, 2), (GridShape{7, 1}));
    EXPECT_EQ(default_grid_shape(8, 4), (GridShape{4, 2}));
    EXPECT_EQ(default_grid_shape(12, 4), (GridShape{4, 3}));
    EXPECT_EQ(default_grid_shape(64, 8), (GridShape{8, 8}));
    for (int ranks = 2; ranks < 200; ++ranks) {
        const GridShape shape = default_grid_shape(ranks, 1);
        EXPECT_EQ(shape.size(), ranks);
        EXPECT_GE(shape.rows, shape.columns);
    }
}

}  // namespace
}  // namespace wayfront::comm
