#include "comm/process_grid.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/shapes.hpp"

namespace wayfront::comm {
namespace {

using ProcessGridTest = GridTest;

TEST_F(ProcessGridTest, RowsAndColumnsHoldTheirRanksInOrder)
{
    for (const GridShape shape : shapes_of(ranks)) {
        SCOPED_TRACE(to_text(shape));
        const ProcessGrid grid(world, shape);
        EXPECT_EQ(grid.shape(), shape);
        EXPECT_EQ(grid.rank(), rank);
        EXPECT_EQ(grid.row_index(), rank / shape.columns);
        EXPECT_EQ(grid.column_index(), rank % shape.columns);
        EXPECT_EQ(grid.world().size(), ranks);
        EXPECT_EQ(grid.row().rank(), grid.column_index());
        EXPECT_EQ(grid.column().rank(), grid.row_index());

        const std::vector<int> row = grid.row().all_gather(rank);
        ASSERT_EQ(row.size(), static_cast<std::size_t>(shape.columns));
        for (int j = 0; j < shape.columns; ++j)
            EXPECT_EQ(row[static_cast<std::size_t>(j)], grid.row_index() * shape.columns + j);
        const std::vector<int> column = grid.column().all_gather(rank);
        ASSERT_EQ(column.size(), static_cast<std::size_t>(shape.rows));
        for (int i = 0; i < shape.rows; ++i)
            EXPECT_EQ(column[static_cast<std::size_t>(i)], i * shape.columns + grid.column_index());
    }
}

TEST_F(ProcessGridTest, AShapeHoldsAllRanksOrIsRefusedByAll)
{
    for (const GridShape shape :
         {GridShape{ranks + 1, 1}, GridShape{ranks, 2}, GridShape{1, ranks + 3}, GridShape{65536, 65536}}) {
        try {
            const ProcessGrid grid(world, shape);
            ADD_FAILURE() << to_text(shape) << " was taken";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(to_text(shape)), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find(std::to_string(ranks)), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace wayfront::comm
