#include "comm/process_grid.hpp"

#include <charconv>
#include <string>

namespace wayfront::comm {

GridShape parse_grid_shape(std::string_view text)
{
    GridShape shape;
    const std::size_t cross = text.find('x');
    const char* const end = text.data() + text.size();
    if (cross != std::string_view::npos) {
        const auto rows = std::from_chars(text.data(), text.data() + cross, shape.rows);
        const auto columns = std::from_chars(text.data() + cross + 1, end, shape.columns);
        const bool whole = rows.ptr == text.data() + cross && columns.ptr == end;
        if (whole && rows.ec == std::errc{} && columns.ec == std::errc{} && shape.rows > 0 && shape.columns > 0)
            return shape;
    }
    throw InputError("--grid: expected auto or ROWSxCOLUMNS (for example 2x3), found '" + std::string(text) + "'");
}

GridShape default_grid_shape(int ranks, int ranks_a_host)
{
    if (ranks_a_host >= ranks) return {ranks, 1};
    GridShape shape{ranks, 1};
    for (int columns = 1; columns * columns <= ranks; ++columns)
        if (ranks % columns == 0) shape = {ranks / columns, columns};
    return shape;
}

namespace {
GridShape checked(GridShape shape, int ranks)
{
    if (static_cast<long long>(shape.rows) * shape.columns != ranks)
        throw InputError("--grid: " + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) +
                         " is a grid of " + std::to_string(static_cast<long long>(shape.rows) * shape.columns) +
                         " ranks, but " + std::to_string(ranks) + " were started");
    return shape;
}
}  // namespace

ProcessGrid::ProcessGrid(const Communicator& world, GridShape shape)
    : shape_(checked(shape, world.size())),
      world_(world.split(0, world.rank())),
      row_(world.split(world.rank() / shape.columns, world.rank() % shape.columns)),
      column_(world.split(world.rank() % shape.columns, world.rank() / shape.columns)),
      rows_span_hosts_(shape.columns > 1 && world.any(row_.split_by_host().size() < row_.size()))
{
}

}  // namespace wayfront::comm
