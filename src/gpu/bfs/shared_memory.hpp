// How searches share out the shared memory of a block.
#pragma once

#include <cstdint>

#include "gpu/bfs/view.hpp"

namespace wayfront::gpu {

/// Sets how many of view.graph's columns are hubs, whose bits are kept in shared memory, at most
/// most_hubs; where the tail begins; the rule's ranks and has_tail; and shared_bytes, as bottom-up
/// levels and passes over a frontier need them.
void set_shared_memory(SearchView& view, std::uint32_t most_hubs);

}  // namespace wayfront::gpu
