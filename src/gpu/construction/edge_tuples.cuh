// The edges of an edge list in device memory as tuples for construction (tuple_kernels.cuh). An end
// of a tuple is the vertex's number.
#pragma once

#include <cstdint>

#include "gpu/construction/edge_keys.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::construction {

/// An array of numbers below 2^32 in device memory: the lower words of numbers of any width.
struct LowWords
{
    const std::uint32_t* first = nullptr;
    std::uint32_t stride = 1;  // in words

    [[nodiscard]] __device__ std::uint32_t at(std::uint64_t i) const { return first[i * stride]; }
};

struct VertexPair
{
    std::uint32_t source;
    std::uint32_t target;
};

struct EdgeTuples
{
    LowWords sources, targets;
    LowWords weights;              // null if each weight is 1
    std::uint32_t minus_zero = 0;  // word of a weight that is read as 0: the bits of -0.0 for floats
    std::uint64_t count = 0;

    [[nodiscard]] __device__ bool is_dealt_to(std::uint32_t /*end*/, std::uint32_t /*ranks*/,
                                              std::uint32_t /*rank*/) const
    {
        return true;  // there is one rank
    }
    template <typename F>
    __device__ void for_each_pair(F&& f) const
    {
        for (std::uint64_t of_warp = first_index() - lane_id(); of_warp < count; of_warp += index_stride()) {
            const std::uint64_t i = of_warp + lane_id();
            const bool is_tuple = i < count;
            f(i, is_tuple ? VertexPair{sources.at(i), targets.at(i)} : VertexPair{0, 0}, is_tuple);
        }
    }
    template <typename F>
    __device__ void for_each_weighted_pair(F&& f) const
    {
        for_each_pair([&](std::uint64_t i, VertexPair pair, bool is_tuple) {
            std::uint32_t weight = 1;
            if (is_tuple && weights.first != nullptr) {
                weight = weights.at(i);
                if (weight == minus_zero) weight = 0;
            }
            f(i, pair, is_tuple, weight);
        });
    }
};

struct SameVertex
{
    [[nodiscard]] __device__ std::uint32_t vertex_of(std::uint32_t end) const { return end; }
};

}  // namespace wayfront::gpu::construction
