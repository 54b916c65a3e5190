// What a block shares when a few vertices relax all their arcs (single_vertices.cuh).
#pragma once

#include <cstdint>

namespace wayfront::gpu {

struct SingleVertices
{
    /// A vertex whose list is divided among the warps of the block.
    struct Long
    {
        std::uint32_t slot;
        std::uint32_t distance;
    };
    static constexpr std::uint32_t kLongs = 256;

    Long longs[kLongs];
    std::uint32_t long_count;  // with those that found no room
};

}  // namespace wayfront::gpu
