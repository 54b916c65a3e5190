// The division of a block's shared memory in searches.
//
// With more shared memory, more vertices are hubs, whose bits a search reads from shared memory.
// But the L1 cache is the part of a multiprocessor's memory that shared memory leaves free, in
// steps: on H100 and H200 124 KB with up to 132 KB of shared memory, 92 KB with up to 164 KB, 28 KB
// with more than 196 KB.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/view.hpp"

namespace wayfront::gpu::bfs {

/// The dynamic shared memory of a block with `wanted` bytes of shared memory in all, or with the
/// largest size of this process's GPU if that is less.
[[nodiscard]] std::size_t dynamic_shared_bytes(std::size_t wanted);

/// Sets these members of the view: scan_slots; hub_words, for at most most_hubs hubs, whose bits
/// are in shared memory; tail_slot, the first slot of the tail; `ranks` and `has_tail` of the rule;
/// and shared_bytes, which suffices for bottom-up levels and for passes over a frontier.
void set_shared_memory(SearchView& view, std::uint32_t most_hubs);

}  // namespace wayfront::gpu::bfs
