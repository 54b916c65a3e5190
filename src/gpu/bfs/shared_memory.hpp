// The division of a block's shared memory in searches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/view.hpp"

namespace wayfront::gpu::bfs {

/// The dynamic shared memory that a block of a search may take on this process's GPU.
[[nodiscard]] std::size_t most_shared_bytes();

/// Sets members of the view. scan_slots. hub_words: at most most_hubs columns are hubs, whose bits are kept in
/// shared memory. tail_slot: the first slot of the tail. ranks and has_tail of the rule.
/// shared_bytes: enough for bottom-up levels and passes over a frontier.
void set_shared_memory(SearchView& view, std::uint32_t most_hubs);

}  // namespace wayfront::gpu::bfs
