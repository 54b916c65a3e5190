// What a block shares when a few vertices relax all their arcs (single_vertices.cuh).
#pragma once

#include <cstdint>

namespace wayfront::gpu::sssp {

struct SingleVertices
{
    struct Vertex
    {
        std::uint32_t slot;
        std::uint32_t distance;
    };
    static constexpr std::uint32_t kLongs = 256;

    Vertex longs[kLongs];      // whose lists are divided among the warps of the block
    std::uint32_t long_count;  // with those that found no room
};

}  // namespace wayfront::gpu::sssp
