#include <algorithm>

#include "gpu/bfs/resident/kernel.hpp"
#include "gpu/bfs/resident/many_edges.cuh"
#include "gpu/bfs/resident/resident_kernel.hpp"
#include "gpu/bfs/resident/single_block.cuh"
#include "gpu/bfs/results.hpp"
#include "gpu/bfs/shared_memory.hpp"

namespace wayfront::gpu::bfs {

unsigned resident_blocks(ResidentView& view)
{
    // Graphs in which single blocks run most levels have few edges per vertex. In these graphs,
    // room for the bits of all visited vertices is of more use than L1 cache.
    const bool sparse = view.graph.out.edges < std::uint64_t{8} * view.graph.slot_stride;
    const std::size_t room = sparse ? dynamic_shared_bytes(std::size_t{200} << 10) : view.shared_bytes;
    const std::size_t with_visited = sizeof(SingleBlockMemory) + view.graph.slot_stride / 32 * sizeof(std::uint32_t);
    const std::size_t single_block = with_visited <= room ? with_visited : sizeof(SingleBlockMemory);
    view.shared_bytes = std::max(
        {view.shared_bytes, sizeof(ManyEdgesMemory) + (view.hub_words + 1) * sizeof(std::uint32_t), single_block});
    return view.graph.ranks == 1 ? ResidentKernel<true>::blocks(view) : ResidentKernel<false>::blocks(view);
}

void launch_resident(const ResidentView& view, SearchKey key, unsigned blocks, const Stream& stream)
{
    if (view.graph.ranks == 1)
        ResidentKernel<true>::launch(view, key, blocks, stream);
    else
        ResidentKernel<false>::launch(view, key, blocks, stream);
    launch_write_results(view, key, stream);
}

}  // namespace wayfront::gpu::bfs
