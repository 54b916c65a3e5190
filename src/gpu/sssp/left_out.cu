#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/left_out.hpp"

namespace wayfront::gpu::sssp {

namespace {

[[nodiscard]] __device__ bool is_reached(const SsspView& view, std::uint32_t column)
{
    return view.own.bounds[column].upper < kUnknown<WholeDistance>;
}

/// A warp reads the bounds of 32 vertices at a time. Then it reads the lists of the unreached ones,
/// usually few, one after the other. A leaf next to an unreached vertex is not reached either, or
/// it is the source, whose push has noticed that the sum does not fit.
__global__ void find_left_out(SsspView view)
{
    for (std::uint64_t first = first_index() - lane_id(); first < view.first_leaf; first += index_stride()) {
        const std::uint64_t slot = first + lane_id();
        const bool wanted = slot < view.first_leaf &&
                            !is_reached(view, view.graph.columns.own_column(static_cast<std::uint32_t>(slot)));
        for (std::uint32_t lanes = __ballot_sync(kAllLanes, wanted); lanes != 0; lanes &= lanes - 1) {
            const ListPlace list =
                view.graph.in.lists[first + static_cast<std::uint32_t>(__ffs(static_cast<int>(lanes))) - 1];
            for (std::uint32_t k = lane_id(); k < list.degree(); k += 32) {
                const std::uint32_t end = view.graph.in.list_arcs[list.begin() + k].end;
                if (end < view.first_leaf_column && is_reached(view, end)) view.summary->overflow = 1;
            }
        }
    }
}

}  // namespace

void note_left_out_vertices(const SsspView& view, const Stream& stream)
{
    launch(find_left_out, view.first_leaf, stream, view);
}

}  // namespace wayfront::gpu::sssp
