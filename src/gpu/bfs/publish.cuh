// The bitmaps of all columns. Each GPU has its own.
#pragma once

#include <cstdint>

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

/// Stores a word of this rank's part of the frontier, at word `place` of the columns, in the rank's
/// own bitmap `to`. The stepped search sends it to the other ranks before the next bottom-up level.
__device__ inline void publish_word(const SearchView& view, int to, std::uint32_t place, std::uint32_t word)
{
    view.own.frontier[to][place] = word;
}

/// The resident search stores the word in its peers' bitmaps, too, unless it is 0, so that a sparse
/// frontier costs the links little. A peer's bitmap then keeps the bits of earlier frontiers, whose
/// neighbours are all visited.
__device__ inline void publish_word(const ResidentView& view, int to, std::uint32_t place, std::uint32_t word)
{
    view.own.frontier[to][place] = word;
    if (word == 0) return;
    const std::uint32_t ranks = view.graph.ranks;
    for (std::uint32_t p = 1; p < ranks; ++p) view.peers[(view.graph.rank + p) % ranks].frontier[to][place] = word;
}

/// Publishes the rows that a bottom-up level found, which are own slots, in bitmap `to` of all
/// columns. Each lane has a word of a tile, from word `first` of the rows on.
template <typename View>
__device__ void publish_rows(const View& view, int to, std::uint32_t first, std::uint32_t word)
{
    publish_word(view, to, view.graph.column(view.graph.rank, first * 32) / 32 + lane_id(), word);
}

}  // namespace wayfront::gpu::bfs
