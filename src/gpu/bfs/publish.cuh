// The bitmaps of all columns, of which each GPU has its own.
#pragma once

#include <cstdint>

#include "gpu/bfs/view.hpp"

namespace wayfront::gpu {

/// Stores a word of this rank's part of the frontier, at word `place` of the columns, in its own bitmap `to` and in the peers'. These are told
/// nothing of a word without vertices, so that a sparse frontier costs the links little: what their bitmaps hold there are vertices of earlier
/// frontiers, all neighbours of which are visited.
__device__ inline void publish_word(const SearchView& view, int to, std::uint32_t place, std::uint32_t word)
{
    view.own().frontier[to][place] = word;
    if (word == 0) return;
    for (std::uint32_t p = 1; p < view.peer_count; ++p) view.peers[(view.me + p) % view.peer_count].frontier[to][place] = word;
}

}  // namespace wayfront::gpu
