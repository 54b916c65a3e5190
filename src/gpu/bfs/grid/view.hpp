// The arguments of the kernels of a search over a grid of several columns (search.hpp).
#pragma once

#include <cstdint>

#include "gpu/bfs/view.hpp"

namespace wayfront::gpu::bfs {

/// The members of SearchView are those of the block: own.visited and own.parents have the block's
/// rows, and own.frontier[0] its columns; own_frontier is the frontier's own slots. The results are
/// those of the owner, by `owner`.
struct GridView : SearchView
{
    ColumnNumbers rows;
    // The rows that all blocks of the grid row know to be visited: own.visited as the level began.
    std::uint32_t* known = nullptr;
    WorkItem* queue = nullptr;
    CountWords<LevelCounts>* counts = nullptr;  // of the own slots that the last fold found
    std::uint64_t* queue_items = nullptr;
    const std::uint32_t* out_degrees = nullptr;  // of own slots
    PeerState owner;                             // parents, and levels if they are kept, of own slots

    [[nodiscard]] WAYFRONT_HD std::uint32_t slot_words() const { return graph.slot_stride / 32; }
};

}  // namespace wayfront::gpu::bfs
