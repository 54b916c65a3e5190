#include "gpu/bfs/resident/nearest_levels.hpp"
#include "gpu/graph/nearest_kernel.cuh"

namespace wayfront::gpu::bfs {

namespace {

/// The out-edges of a graph as arcs of length 1.
struct LevelArcs
{
    const ListPlace* lists;
    const std::uint32_t* neighbours;

    // Level -1, which an unreached vertex has, as an unsigned number.
    static constexpr std::uint32_t kInfinity = kInfiniteWhole;

    [[nodiscard]] __device__ ListPlace list(std::uint32_t slot) const { return lists[slot]; }
    [[nodiscard]] __device__ Arc arc(const ListPlace& list, std::uint32_t i) const
    {
        return {neighbours[list.begin() + i], 1};
    }
    [[nodiscard]] static __device__ std::uint32_t sum(std::uint32_t level, std::uint32_t length)
    {
        return level + length;
    }
};

}  // namespace

void launch_nearest_levels(NearestSources& nearest, const SearchView& view, const Stream& stream)
{
    launch_choose_nearest(nearest, LevelArcs{view.graph.out.lists, view.graph.out.neighbours},
                          reinterpret_cast<const std::uint32_t*>(view.result_levels), view.result, stream);
}

}  // namespace wayfront::gpu::bfs
