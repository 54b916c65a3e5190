// Publication of frontiers in the bitmaps of all columns. Each GPU has such bitmaps.
#pragma once

#include <cstdint>

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

/// Stores a word of this rank's part of the frontier as word `place` of the rank's bitmap number
/// `to`. The stepped search sends the word to the other ranks before the next bottom-up level.
__device__ inline void publish_word(const SearchView& view, int to, std::uint32_t place, std::uint32_t word)
{
    view.own.frontier[to][place] = word;
}

/// In the resident search, also stores the word in the peers' bitmaps, unless it is 0, so that a
/// sparse frontier causes little traffic on the links. A peer's bitmap keeps bits of earlier
/// frontiers in the other words; the neighbours of these vertices are all visited.
__device__ inline void publish_word(const ResidentView& view, int to, std::uint32_t place, std::uint32_t word)
{
    view.own.frontier[to][place] = word;
    if (word == 0) return;
    const std::uint32_t ranks = view.graph.ranks;
    for (std::uint32_t p = 1; p < ranks; ++p) view.peers[(view.graph.rank + p) % ranks].frontier[to][place] = word;
}

/// Publishes the rows that a bottom-up level found in the bitmap number `to` of all columns. The
/// rows are own slots. Each lane has a word of a tile, which begins with word `first` of the rows.
template <typename View>
__device__ void publish_rows(const View& view, int to, std::uint32_t first, std::uint32_t word)
{
    publish_word(view, to, view.graph.column(view.graph.rank, first * 32) / 32 + lane_id(), word);
}

}  // namespace wayfront::gpu::bfs
