#include "gpu/apsp/small_floyd_warshall.cuh"
#include "gpu/apsp/small_floyd_warshall.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

namespace {

/// The number of multiprocessors, each of which runs a block.
std::uint32_t multiprocessors()
{
    int device = 0;
    int count = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return static_cast<std::uint32_t>(count);
}

constexpr std::uint32_t tiles_in(std::uint32_t vertices, std::uint32_t of_tile)
{
    return (vertices + of_tile - 1) / of_tile;
}

/// The rows and columns of a thread.
template <std::uint32_t Rows, std::uint32_t Columns>
struct TileShape
{
    static constexpr std::uint32_t kRows = Rows;
    static constexpr std::uint32_t kColumns = Columns;
};

/// Calls f with the shape of the smallest tiles of which there are no more than `most`; returns
/// whether there are such tiles. Small tiles are multiplied fastest.
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

}  // namespace

void close_in_blocks(const FloydWarshallView& view, std::uint32_t vertices, std::uint32_t matrices, MinPlusSums sums, const Stream& stream)
{
    with_whole_words(sums, [&](auto how) {
        close_small<decltype(how)><<<matrices, kRegisterTileThreads, 0, stream.get()>>>(view, vertices);
        check_launch();
    });
}

bool fits_resident(std::uint32_t vertices)
{
    return with_tile(vertices, multiprocessors(), [](auto) {});
}

void close_resident(const FloydWarshallView& view, std::uint32_t vertices, MinPlusSums sums, ResidentPanels& panels, const Stream& stream)
{
    const std::size_t words = std::size_t{view.size} * view.size;
    const bool is_first = panels.rows.empty();
    if (is_first) {
        panels.rows = DeviceBuffer<std::uint32_t>(2 * words);
        panels.columns = DeviceBuffer<std::uint32_t>(2 * words);
    }
    const std::size_t now = panels.launches % 2 * words;
    const std::size_t next = words - now;
    ++panels.launches;
    const SharedPanelsView shared{panels.rows.data() + now, panels.columns.data() + now, panels.rows.data() + next, panels.columns.data() + next};
    with_whole_words(sums, [&](auto how) {
        if (is_first)
            for (const auto panel : {panels.rows.span(), panels.columns.span()}) fill_bytes_async(panel, how.kUnset & 0xFF, stream);
        with_tile(vertices, multiprocessors(), [&](auto shape) {
            auto* const kernel = close_resident<decltype(how), shape.kRows, shape.kColumns>;
            cooperative_blocks(reinterpret_cast<const void*>(kernel), kRegisterTileThreads, 0, "Floyd-Warshall on small matrices");
            const std::uint32_t blocks = tiles_in(vertices, 16 * shape.kRows) * tiles_in(vertices, 16 * shape.kColumns);
            launch_cooperative(kernel, blocks, kRegisterTileThreads, 0, stream, view, shared, vertices);
        });
    });
}

}  // namespace wayfront::gpu
