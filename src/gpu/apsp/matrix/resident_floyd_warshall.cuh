// The launch of close_resident() in small_floyd_warshall.cuh, which closes a matrix by concurrent
// blocks. One file compiles it for whole distances, and one for floats.
#pragma once

#include <cstdint>

#include "gpu/apsp/matrix/small_floyd_warshall.cuh"
#include "gpu/apsp/matrix/small_floyd_warshall.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

/// Largest number of tiles: one for each multiprocessor except the one that closes squares.
inline std::uint32_t most_tiles()
{
    return static_cast<std::uint32_t>(multiprocessors()) - 1;
}

constexpr std::uint32_t tiles_in(std::uint32_t vertices, std::uint32_t of_tile)
{
    return (vertices + of_tile - 1) / of_tile;
}

/// The numbers of rows and columns of a thread.
template <std::uint32_t Rows, std::uint32_t Columns>
struct TileShape
{
    static constexpr std::uint32_t kRows = Rows;
    static constexpr std::uint32_t kColumns = Columns;
};

/// Calls f with the shape of the smallest tiles of which at most `most` cover the matrix, since
/// products of small tiles are fastest. Returns whether there is such a shape.
template <typename F>
bool with_tile(std::uint32_t vertices, std::uint32_t most, F&& f)
{
    const auto fits = [&](std::uint32_t rows, std::uint32_t columns) {
        return tiles_in(vertices, 16 * rows) * tiles_in(vertices, 16 * columns) <= most;
    };
    if (vertices > kMostResident) return false;
    if (fits(2, 2))
        f(TileShape<2, 2>{});
    else if (fits(4, 4))
        f(TileShape<4, 4>{});
    else if (fits(4, 8))
        f(TileShape<4, 8>{});
    else
        return false;
    return true;
}

/// Starts to close a matrix. Throws ResourceError. Pre: with_tile() finds a shape for the matrix.
template <typename Sums>
void start_resident(const ResidentView& view, const Stream& stream)
{
    with_tile(view.vertices, most_tiles(), [&](auto shape) {
        auto* const kernel = close_resident<Sums, shape.kRows, shape.kColumns>;
        cooperative_blocks(reinterpret_cast<const void*>(kernel), kRegisterTileThreads, 0,
                           "Floyd-Warshall on small matrices");
        const std::uint32_t tiles =
            tiles_in(view.vertices, 16 * shape.kRows) * tiles_in(view.vertices, 16 * shape.kColumns);
        launch_cooperative(kernel, tiles + 1, kRegisterTileThreads, 0, stream, view);
    });
}

}  // namespace wayfront::gpu::apsp
