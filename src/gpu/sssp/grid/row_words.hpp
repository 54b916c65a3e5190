// The distances and parents of rows in device memory. Free of CUDA's headers.
//
// A row has a 64-bit word, which decreases by an atomic minimum. A 32-bit distance has its parent
// in the word's lower half, so that both change together. A 64-bit distance takes the whole word;
// its parent is in an array of its own, and is written when the distances of a round are final.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

template <typename D>
struct RowWord
{
    static constexpr bool kHasParent = sizeof(D) == 4;

    [[nodiscard]] WAYFRONT_HD static constexpr std::uint64_t make(D distance, std::uint32_t parent)
    {
        if constexpr (kHasParent)
            return std::uint64_t{to_ordered(distance)} << 32 | parent;
        else
            return to_ordered(distance);
    }
    [[nodiscard]] WAYFRONT_HD static constexpr D distance(std::uint64_t word)
    {
        if constexpr (kHasParent)
            return from_ordered<D>(static_cast<std::uint32_t>(word >> 32));
        else
            return from_ordered<D>(word);
    }
    /// Pre: kHasParent.
    [[nodiscard]] WAYFRONT_HD static constexpr std::uint32_t parent(std::uint64_t word)
    {
        return static_cast<std::uint32_t>(word);
    }
};

}  // namespace wayfront::gpu::sssp
