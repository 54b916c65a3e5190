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
    const std::size_t visited_bytes = view.graph.slot_stride / 32 * sizeof(std::uint32_t);
    static_assert(sizeof(SingleBlockMemory) <= kLeastSharedBytes - kStaticSharedBytes);
    const bool has_room = sizeof(SingleBlockMemory) + visited_bytes <= most_shared_bytes();
    const std::size_t single_block = sizeof(SingleBlockMemory) + (has_room ? visited_bytes : 0);
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
