// Shared by the grid tests: the grid shapes for a number of ranks, and a fixture that holds the
// world.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"

namespace wayfront {

/// All R x C with R * C = ranks.
inline std::vector<comm::GridShape> shapes_of(int ranks)
{
    std::vector<comm::GridShape> shapes;
    for (int rows = 1; rows <= ranks; ++rows)
        if (ranks % rows == 0) shapes.push_back({rows, ranks / rows});
    return shapes;
}

inline std::string to_text(comm::GridShape shape)
{
    return std::to_string(shape.rows) + "x" + std::to_string(shape.columns);
}

class GridTest : public testing::Test
{
protected:
    const comm::Communicator world = comm::Communicator::world();
    const int rank = world.rank();
    const int ranks = world.size();
};

}  // namespace wayfront
