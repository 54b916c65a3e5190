#include "gpu/graph/nearest_kernel.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/nearest_lengths.hpp"

namespace wayfront::gpu::sssp {

namespace {

/// The out-arcs of a graph.
template <typename Distance>
struct LengthArcs
{
    const ListPlace* lists;
    const Arc* list_arcs;

    static constexpr std::uint32_t kInfinity = Distance::kInfinity;

    [[nodiscard]] __device__ ListPlace list(std::uint32_t slot) const { return lists[slot]; }
    [[nodiscard]] __device__ Arc arc(const ListPlace& list, std::uint32_t i) const
    {
        const uint2 words = __ldg(reinterpret_cast<const uint2*>(list_arcs + list.begin() + i));
        return {words.x, words.y};
    }
    [[nodiscard]] static __device__ std::uint32_t sum(std::uint32_t distance, std::uint32_t length)
    {
        return Distance::sum(distance, length);
    }
};

}  // namespace

void launch_nearest_lengths(NearestSources& nearest, const SsspView& view, WeightType type, const Stream& stream)
{
    with_distance(type, [&](auto distance) {
        launch_choose_nearest(nearest, LengthArcs<decltype(distance)>{view.graph.lists, view.graph.list_arcs},
                              view.result_distances, view.result_parents, stream);
    });
}

}  // namespace wayfront::gpu::sssp
