#include <algorithm>

#include "gpu/bfs/bottom_up.cuh"
#include "gpu/bfs/frontier.cuh"
#include "gpu/bfs/shared_memory.hpp"
#include "gpu/runtime/device.hpp"

namespace wayfront::gpu::bfs {

namespace {

constexpr std::size_t kLeastDynamicBytes = kLeastSharedBytes - kStaticSharedBytes;
static_assert(sizeof(BottomUpMemory) + (kMaxPeers * kTileWords + 1) * sizeof(std::uint32_t) <= kLeastDynamicBytes);
static_assert(FrontierSlots::bytes(FrontierSlots::kLeastSlots) <= kLeastDynamicBytes);

}  // namespace

std::size_t most_shared_bytes()
{
    return std::min(kMostSharedBytes, shared_memory_per_block() - kStaticSharedBytes);
}

void set_shared_memory(SearchView& view, std::uint32_t most_hubs)
{
    const std::size_t bytes = most_shared_bytes();
    const auto most_words = static_cast<std::uint32_t>((bytes - sizeof(BottomUpMemory)) / sizeof(std::uint32_t) - 1);
    const std::uint32_t tiles = view.graph.ranks * kTileWords;  // one tile of each rank
    view.hub_words = std::min(view.graph.cols() / 32, std::min(most_words, most_hubs / 32) / tiles * tiles);
    view.tail_slot = view.hub_words / view.graph.ranks * 32;
    view.rule.ranks = view.graph.ranks;
    view.rule.has_tail = view.hub_words * 32 < view.graph.cols();
    view.scan_slots = FrontierSlots::slots_in(bytes);
    view.shared_bytes = std::max(sizeof(BottomUpMemory) + (view.hub_words + 1) * sizeof(std::uint32_t),
                                 FrontierSlots::bytes(view.scan_slots));
}

}  // namespace wayfront::gpu::bfs
