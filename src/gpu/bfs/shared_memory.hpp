// How searches share out the shared memory of a block.
#pragma once

#include <cstdint>

#include "gpu/bfs/view.hpp"

namespace wayfront::gpu {

/// Sets view.hub_words, so that at most most_hubs columns are hubs, whose bits are kept in shared
/// memory; view.tail_slot, the first slot of the tail; the rule's ranks and has_tail; and
/// shared_bytes, as bottom-up levels and passes over a frontier need it.
void set_shared_memory(SearchView& view, std::uint32_t most_hubs);

}  // namespace wayfront::gpu
