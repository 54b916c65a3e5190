// The arcs that one rank inspects and the messages that it receives in a part of a search.
#pragma once

#include <cstdint>

#include "base/message_count.hpp"

namespace wayfront::model {

/// The work and the received messages of one rank in one level of a breadth-first search, or in one round of a search
/// for shortest paths.
struct RankWork
{
    MessageCount counts;       // of sums over all ranks
    MessageCount expand;       // of the frontier, or of changed distances, along the grid column
    MessageCount refresh;      // of all visited vertices, or of all distances, along the grid row
    MessageCount turns;        // of open rows, handed on along the grid row (Scheme::rotation)
    MessageCount fold;         // of the found vertices or distances, along the grid row
    MessageCount hubs;         // of hubs that were found, from all ranks (Scheme::hubs)
    MessageCount exchange;     // of pushes, or of queries and their answers, among all ranks (Scheme::hubs)
    std::uint64_t rows = 0;    // open rows that a level visits
    std::uint64_t arcs = 0;    // arcs of the block that are inspected, or whose weights are read
    std::uint64_t found = 0;   // rows of the block that are sent to their owners; of levels only
    std::uint64_t pushed = 0;  // arcs of `exchange`: pushes, or queries, that the rank works on

    [[nodiscard]] MessageCount received() const { return counts + expand + refresh + turns + fold + hubs + exchange; }
};

}  // namespace wayfront::model
