// What one rank inspects and receives in a part of a search.
#pragma once

#include <cstdint>

#include "base/message_count.hpp"

namespace wayfront::model {

/// One rank in one level of a breadth-first search, or in one round of a search for shortest paths.
struct RankWork
{
    MessageCount counts;      // of sums over all ranks
    MessageCount expand;      // of the frontier, or of changed distances, along the grid column
    MessageCount refresh;     // of all visited vertices, or of all distances, along the grid row
    MessageCount fold;        // of what was found, along the grid row
    std::uint64_t arcs = 0;   // of the block that are inspected, or whose weights are read
    std::uint64_t found = 0;  // rows of the block that are sent to their owners; of levels only

    [[nodiscard]] MessageCount received() const { return counts + expand + refresh + fold; }
};

}  // namespace wayfront::model
