#include <algorithm>

#include "gpu/bfs/bottom_up.cuh"
#include "gpu/bfs/frontier.cuh"
#include "gpu/bfs/resident/single_block.cuh"
#include "gpu/bfs/shared_memory.hpp"
#include "gpu/runtime/device.hpp"

namespace wayfront::gpu::bfs {

namespace {

// Upper limit of the static shared memory of a kernel.
constexpr std::size_t kStaticBytes = std::size_t{2} << 10;
constexpr std::size_t kLeastDynamicBytes = kLeastSharedBytes - kStaticBytes;
static_assert(sizeof(BottomUpMemory) + (kMaxPeers * kTileWords + 1) * sizeof(std::uint32_t) <= kLeastDynamicBytes);
static_assert(sizeof(SingleBlockMemory) <= kLeastDynamicBytes);
static_assert(FrontierSlots::bytes(FrontierSlots::kLeastSlots) <= kLeastDynamicBytes);

/// The shared memory of a block for a graph with `columns` columns. On an H200, this is the best
/// size between 99 and 227 KiB (bench/results/gpu-shared-memory.json). In graphs of more columns,
/// more hubs pay.
std::size_t wanted_bytes(std::uint32_t columns)
{
    constexpr std::uint32_t many = 1U << 25;
    return std::size_t{columns <= many ? 131U : 163U} << 10;
}

}  // namespace

std::size_t dynamic_shared_bytes(std::size_t wanted)
{
    return std::min(wanted, shared_memory_per_block()) - kStaticBytes;
}

void set_shared_memory(SearchView& view, std::uint32_t most_hubs)
{
    const std::size_t bytes = dynamic_shared_bytes(wanted_bytes(view.graph.cols()));
    const auto most_words = static_cast<std::uint32_t>((bytes - sizeof(BottomUpMemory)) / sizeof(std::uint32_t) - 1);
    const std::uint32_t tiles = view.graph.ranks * kTileWords;  // words of one tile of each rank
    view.hub_words = std::min(view.graph.cols() / 32, std::min(most_words, most_hubs / 32) / tiles * tiles);
    view.tail_slot = view.hub_words / view.graph.ranks * 32;
    view.rule.ranks = view.graph.ranks;
    view.rule.has_tail = view.hub_words * 32 < view.graph.cols();
    view.scan_slots = FrontierSlots::slots_in(bytes);
    view.shared_bytes = std::max(sizeof(BottomUpMemory) + (view.hub_words + 1) * sizeof(std::uint32_t),
                                 FrontierSlots::bytes(view.scan_slots));
}

}  // namespace wayfront::gpu::bfs
