// The division of a block's shared memory in searches.
//
// The more of it a search takes, the more vertices are hubs, whose bits it looks up there. But what
// shared memory leaves of a multiprocessor's memory is its L1 cache, in steps: on H100 and H200 124
// KB with up to 132 KB of shared memory, 92 KB with up to 164 KB, 28 KB with more than 196 KB.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/view.hpp"

namespace wayfront::gpu::bfs {

/// The dynamic shared memory of a block whose shared memory is `wanted` bytes in all, or as much as
/// this process's GPU has if that is less.
[[nodiscard]] std::size_t dynamic_shared_bytes(std::size_t wanted);

/// Sets members of the view. scan_slots. hub_words: at most most_hubs columns are hubs, whose bits are
/// kept in shared memory. tail_slot: the first slot of the tail. ranks and has_tail of the rule.
/// shared_bytes: enough for bottom-up levels and passes over a frontier.
void set_shared_memory(SearchView& view, std::uint32_t most_hubs);

}  // namespace wayfront::gpu::bfs
