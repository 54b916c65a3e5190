// The resident search: one cooperative kernel a GPU that runs all levels of a search, exchange between GPUs included.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/resident/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// The key of a search, as a rank sees it.
struct ResidentKey
{
    static constexpr std::uint32_t kElsewhere = ~0U;

    std::uint32_t local = kElsewhere;  // its local number on its owner, kElsewhere on other ranks
    std::uint32_t vertex = 0;          // its number in the input

    [[nodiscard]] static ResidentKey of(Vertex key, const DeviceGraphView& graph)
    {
        const bool own = key % static_cast<Vertex>(graph.ranks) == static_cast<Vertex>(graph.rank);
        return {own ? static_cast<std::uint32_t>(key / static_cast<Vertex>(graph.ranks)) : kElsewhere, static_cast<std::uint32_t>(key)};
    }
};

/// Sets what depends on the shared memory of a block: shared_bytes, and how many of view.graph's columns are hubs, whose bits stand there; at most
/// most_hubs.
void set_shared_memory(ResidentView& view, std::uint32_t most_hubs);

/// Blocks that the kernel runs with: one a multiprocessor. Throws ResourceError where the device cannot run them all at once.
[[nodiscard]] int resident_blocks(const ResidentView& view);

void launch_resident(const ResidentView& view, ResidentKey key, int blocks, const Stream& stream);

/// Parents, and levels where kept, from the order of slots into that of local numbers: view.result and view.result_levels.
void launch_write_results(const ResidentView& view, ResidentKey key, const Stream& stream);

}  // namespace wayfront::gpu
