// The sizes of the arrays that a validation uses beside the results of a search.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/types.hpp"

namespace wayfront::graph500 {

/// Equal on all ranks.
struct ValidatorSizes
{
    static constexpr std::size_t kMostChunk = std::size_t{1} << 20;
    static constexpr Vertex kLeastGathered = Vertex{1} << 18;
    static constexpr Vertex kMostGathered = Vertex{1} << 31;  // one rank's vertices are 32-bit numbers

    // The most edges, or queries for levels, of each rank that are under way at a time.
    std::size_t chunk = kMostChunk;
    // If the graph has at most this many vertices, each of several ranks gathers the results of all
    // of them, and checks its share of the edges in place. Otherwise the results stay with the
    // vertices' owners, and edges are sent there.
    Vertex most_gathered = kLeastGathered;

    [[nodiscard]] bool gathers(int ranks, double vertices) const
    {
        return ranks > 1 && vertices <= static_cast<double>(most_gathered);
    }

    /// The sizes for shares of up to `most_edges` edges. A chunk is an eighth of the largest share,
    /// so that messages take a small part of the memory that the graph takes; at least 2^14 edges,
    /// so that messages are long. Results are gathered if there are no more vertices than edges in
    /// a share: they take less memory than construction took for the share, and the work that every
    /// rank then does for all vertices is small beside that for its edges.
    [[nodiscard]] static ValidatorSizes for_share(std::size_t most_edges)
    {
        constexpr std::size_t least_chunk = std::size_t{1} << 14;
        constexpr std::size_t pieces = 8;
        return {std::clamp(most_edges / pieces, least_chunk, kMostChunk),
                std::clamp(static_cast<Vertex>(most_edges), kLeastGathered, kMostGathered)};
    }
};

}  // namespace wayfront::graph500
