// The bitmaps of all columns, of which each GPU has its own.
#pragma once

#include <cstdint>

#include "gpu/resident/view.hpp"

namespace wayfront::gpu {

/// Stores a word of this rank's part of the frontier, at word `place` of the columns, in its own bitmap `to` and in the peers'. These are told
/// nothing of words without a vertex: of ours, their bitmaps hold vertices of the frontier and of earlier ones, and none of these is a neighbour of a
/// row that is still unvisited. So a sparse frontier costs the links little.
__device__ inline void publish_word(const ResidentView& view, int to, std::uint32_t place, std::uint32_t word)
{
    view.own().frontier[to][place] = word;
    if (word == 0) return;
    for (std::uint32_t p = 1; p < view.peer_count; ++p) view.peers[(view.me + p) % view.peer_count].frontier[to][place] = word;
}

}  // namespace wayfront::gpu
