// A rank's block of the adjacency matrix in device memory, in a grid of several columns.
//
// The columns of a block are the slots of the ranks of its grid column, and its rows are the slots
// of the ranks of its grid row. Both are numbered as in gpu/graph/column_numbers.hpp. `graph.in`
// has, for each row, a list of columns, which bottom-up levels read. `graph.out` has, for each
// column, a list of rows, which top-down levels read.
#pragma once

#include <cstdint>

#include "gpu/graph/device_graph.hpp"

namespace wayfront::gpu {

struct DeviceBlock
{
    DeviceGraph graph;
    ColumnNumbers rows;                       // `ranks` is C, and `rank` is the rank's position in its grid row
    DeviceBuffer<std::uint32_t> out_degrees;  // by own slot: out-degree in the whole graph

    [[nodiscard]] std::size_t bytes() const { return graph.bytes() + out_degrees.bytes(); }
};

}  // namespace wayfront::gpu
