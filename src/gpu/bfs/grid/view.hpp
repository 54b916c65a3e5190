// The arguments of the kernels of a search over a grid of several columns (search.hpp).
#pragma once

#include <cstdint>

#include "gpu/bfs/view.hpp"

namespace wayfront::gpu::bfs {

/// The arguments of the kernels. Of the members of SearchView, own.visited and own.parents are
/// arrays over the rows of the block of the matrix, own.frontier[0] is a bitmap of its columns, and
/// own_frontier is a bitmap of the frontier's own slots. `owner` has the results of the own slots.
struct GridView : SearchView
{
    ColumnNumbers rows;
    // Bitmap of the rows that all blocks of the grid row know to be visited: own.visited at the
    // beginning of the level.
    std::uint32_t* known = nullptr;
    WorkItem* queue = nullptr;
    CountWords<LevelCounts>* counts = nullptr;  // counts of the own slots that the last fold found
    std::uint64_t* queue_items = nullptr;
    const std::uint32_t* out_degrees = nullptr;  // out-degree of each own slot
    PeerState owner;                             // parents, and levels if they are kept, of own slots

    [[nodiscard]] WAYFRONT_HD std::uint32_t slot_words() const { return graph.slot_stride / 32; }
};

}  // namespace wayfront::gpu::bfs
