#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/resident_floyd_warshall.cuh"
#include "gpu/apsp/matrix/small_floyd_warshall.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

// Compiled in resident_floyd_warshall_whole.cu and resident_floyd_warshall_floats.cu.
extern template void start_resident<WholeSums>(const ResidentView&, const Stream&);
extern template void start_resident<UnsignedWholeSums>(const ResidentView&, const Stream&);
extern template void start_resident<FloatSums>(const ResidentView&, const Stream&);
extern template void start_resident<UnsignedFloatSums>(const ResidentView&, const Stream&);

void close_in_blocks(const FloydWarshallView& view, std::uint32_t vertices, std::uint32_t matrices, MinPlusSums sums,
                     const Stream& stream)
{
    const auto close = [&](auto tag) {
        close_small<decltype(tag)><<<matrices, kRegisterTileThreads, 0, stream.get()>>>(view, vertices);
        check_launch();
    };
    if (sums == MinPlusSums::doubles) return close(DoubleSums{});
    with_whole_words(sums, close);
}

bool fits_resident(std::uint32_t vertices)
{
    return with_tile(vertices, most_tiles(), [](auto) {});
}

void close_resident(const FloydWarshallView& view, std::uint32_t vertices, MinPlusSums sums, ResidentPanels& panels,
                    const Stream& stream)
{
    const bool is_first = panels.words.empty();
    if (is_first) panels.words = DeviceBuffer<std::uint32_t>(ResidentPanelsPlan(view.size).words);
    const auto of_launch = [&](std::uint32_t launch) {
        const std::size_t first =
            launch % ResidentPanelsPlan::kLaunches * ResidentPanelsPlan::words_of_launch(view.size);
        return SharedPanels(panels.words.data() + first, view.size);
    };
    const ResidentView resident{view, of_launch(panels.launches), of_launch(panels.launches + 1), vertices};
    ++panels.launches;
    with_whole_words(sums, [&](auto tag) {
        if (is_first) fill_bytes_async(panels.words.span(), tag.kUnset & 0xFF, stream);
        start_resident<decltype(tag)>(resident, stream);
    });
}

}  // namespace wayfront::gpu::apsp
