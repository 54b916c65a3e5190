// Numbers of vertices that do not fit the 48 bits of a PackedEdge, if the vertices of an edge list
// will be numbered without gaps (compaction.hpp).
//
// A number below kLeastLarge is stored as it is. Each occurrence of a larger one is appended to the
// list of its block of the text, and its place in the list is stored, above kLeastLarge.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace wayfront {

inline constexpr Vertex kLeastLarge = kMaxVertices / 2;

/// The large numbers of a share's edges.
class LargeNumbers
{
public:
    /// Begins `blocks` empty lists.
    void begin(std::size_t blocks) { lists_ = std::vector<std::vector<Vertex>>(blocks); }
    /// Several threads may set different lists at the same time.
    void set(std::size_t block, std::vector<Vertex> list) { lists_[block] = std::move(list); }

    /// Returns `number` as it is stored, and appends it to the list of `block` if it is large.
    [[nodiscard]] static Vertex stored(Vertex number, std::size_t block, std::vector<Vertex>& list)
    {
        if (number < kLeastLarge) return number;
        list.push_back(number);
        return kLeastLarge + (static_cast<Vertex>(block) << kPlaceBits) + static_cast<Vertex>(list.size()) - 1;
    }
    /// The number that is stored as `stored`. Without lists, all numbers are stored as they are.
    [[nodiscard]] Vertex number_of(Vertex stored) const
    {
        if (stored < kLeastLarge || lists_.empty()) return stored;
        const auto place = static_cast<std::size_t>(stored - kLeastLarge);
        return lists_[place >> kPlaceBits][place & ((std::size_t{1} << kPlaceBits) - 1)];
    }

private:
    // Blocks have about a megabyte (text_blocks.cpp), so that neither part of a place overflows.
    static constexpr int kPlaceBits = 24;

    std::vector<std::vector<Vertex>> lists_;
};

}  // namespace wayfront
