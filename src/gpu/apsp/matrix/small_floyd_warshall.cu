#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/small_floyd_warshall.cuh"
#include "gpu/apsp/matrix/small_floyd_warshall.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// The most tiles: one for each multiprocessor except for the one that closes squares.
std::uint32_t most_tiles()
{
    int device = 0;
    int multiprocessors = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    return static_cast<std::uint32_t>(multiprocessors) - 1;
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

/// Calls f with the shape of the smallest tiles such that at most `most` tiles cover the matrix,
/// since small tiles are multiplied fastest. Returns whether there is such a shape.
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
    const auto close = [&](auto how) {
        close_small<decltype(how)><<<matrices, kRegisterTileThreads, 0, stream.get()>>>(view, vertices);
        check_launch();
    };
    if (sums == MinPlusSums::doubles) return close(DoubleSums{});
    with_whole_words(sums, close);
}

bool fits_resident(std::uint32_t vertices)
{
    return with_tile(vertices, most_tiles(), [](auto) {});
}

void close_resident(const FloydWarshallView& view, std::uint32_t vertices, MinPlusSums sums, ResidentPanels& panels, const Stream& stream)
{
    const bool is_first = panels.words.empty();
    if (is_first) panels.words = DeviceBuffer<std::uint32_t>(ResidentPanelsPlan(view.size).words);
    const auto of_launch = [&](std::uint32_t launch) {
        const std::size_t first = launch % ResidentPanelsPlan::kLaunches * ResidentPanelsPlan::words_of_launch(view.size);
        return SharedPanels(panels.words.data() + first, view.size);
    };
    const ResidentView resident{view, of_launch(panels.launches), of_launch(panels.launches + 1), vertices};
    ++panels.launches;
    with_whole_words(sums, [&](auto how) {
        if (is_first) fill_bytes_async(panels.words.span(), how.kUnset & 0xFF, stream);
        with_tile(vertices, most_tiles(), [&](auto shape) {
            auto* const kernel = close_resident<decltype(how), shape.kRows, shape.kColumns>;
            cooperative_blocks(reinterpret_cast<const void*>(kernel), kRegisterTileThreads, 0, "Floyd-Warshall on small matrices");
            const std::uint32_t tiles = tiles_in(vertices, 16 * shape.kRows) * tiles_in(vertices, 16 * shape.kColumns);
            launch_cooperative(kernel, tiles + 1, kRegisterTileThreads, 0, stream, resident);
        });
    });
}

}  // namespace wayfront::gpu::apsp
