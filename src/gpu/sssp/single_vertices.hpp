// The shared memory of a thread block in a push of single vertices (single_vertices.cuh).
#pragma once

#include <cstdint>

namespace wayfront::gpu::sssp {

/// The arcs of a list that a lane reads: `first`, `first + stride` and so on before `end`.
struct LaneArcs
{
    std::uint32_t first;
    std::uint32_t end;
    std::uint32_t stride;
};

struct SingleVertices
{
    struct Vertex
    {
        std::uint32_t slot;
        std::uint32_t distance;
    };
    static constexpr std::uint32_t kLongs = 256;

    Vertex longs[kLongs];      // vertices whose lists are divided among the warps of the block
    std::uint32_t long_count;  // number of such vertices, including those without room in `longs`
};

}  // namespace wayfront::gpu::sssp
