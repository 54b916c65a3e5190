#include <algorithm>

#include "gpu/bfs/bottom_up.cuh"
#include "gpu/bfs/frontier.cuh"
#include "gpu/bfs/shared_memory.hpp"

namespace wayfront::gpu::bfs {

void set_shared_memory(SearchView& view, std::uint32_t most_hubs)
{
    constexpr std::uint32_t most_words = (kSharedBytes - sizeof(BottomUpMemory)) / sizeof(std::uint32_t) - 1;
    const std::uint32_t tiles = view.graph.ranks * kTileWords;  // one tile of each rank
    view.hub_words = std::min(view.graph.cols() / 32, std::min(most_words, most_hubs / 32) / tiles * tiles);
    view.tail_slot = view.hub_words / view.graph.ranks * 32;
    view.rule.ranks = view.graph.ranks;
    view.rule.has_tail = view.hub_words * 32 < view.graph.cols();
    view.shared_bytes =
        std::max(sizeof(BottomUpMemory) + (view.hub_words + 1) * sizeof(std::uint32_t), sizeof(ScanMemory));
}

}  // namespace wayfront::gpu::bfs
