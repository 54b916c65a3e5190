// Sums of what a level finds, over the threads of a GPU.
#pragma once

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// Adds what all threads of the grid bring. All threads of a block call, together: what they have read of shared memory before, others may overwrite
/// after.
__device__ inline void add_to_total(const LevelCounts& own, LevelCounts& total)
{
    __shared__ unsigned long long vertices;
    __shared__ unsigned long long out_edges;
    __shared__ unsigned long long tail_edges;
    if (threadIdx.x == 0) {
        vertices = 0;
        out_edges = 0;
        tail_edges = 0;
    }
    __syncthreads();
    std::uint64_t v = own.vertices;
    std::uint64_t e = own.out_edges;
    std::uint64_t t = own.tail_edges;
    for (int offset = 16; offset > 0; offset /= 2) {
        v += __shfl_down_sync(kAllLanes, v, offset);
        e += __shfl_down_sync(kAllLanes, e, offset);
        t += __shfl_down_sync(kAllLanes, t, offset);
    }
    if (threadIdx.x % 32 == 0 && (v | e) != 0) {
        atomicAdd(&vertices, static_cast<unsigned long long>(v));
        atomicAdd(&out_edges, static_cast<unsigned long long>(e));
        atomicAdd(&tail_edges, static_cast<unsigned long long>(t));
    }
    __syncthreads();
    if (threadIdx.x == 0 && (vertices | out_edges) != 0) {
        atomicAdd(reinterpret_cast<unsigned long long*>(&total.vertices), vertices);
        atomicAdd(reinterpret_cast<unsigned long long*>(&total.out_edges), out_edges);
        atomicAdd(reinterpret_cast<unsigned long long*>(&total.tail_edges), tail_edges);
    }
}

}  // namespace wayfront::gpu
