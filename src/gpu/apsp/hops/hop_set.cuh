// Sets of 1024 targets in pieces of 16 bytes, for counts of pairs at each number of edges.
#pragma once

#include <cstdint>

#include "gpu/apsp/hops/hop_graph.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kPiecesOfSet = kHopTargets / 128;

[[nodiscard]] __device__ inline uint4 both(const uint4& a, const uint4& b)
{
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
}
[[nodiscard]] __device__ inline uint4 without(const uint4& a, const uint4& b)
{
    return {a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w};
}
[[nodiscard]] __device__ inline bool any(const uint4& a)
{
    return (a.x | a.y | a.z | a.w) != 0;
}
[[nodiscard]] __device__ inline std::uint32_t size_of(const uint4& a)
{
    return static_cast<std::uint32_t>(__popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w));
}

/// A piece of the set that contains only bit `bit`.
[[nodiscard]] __device__ inline uint4 bit_of_piece(std::uint32_t bit, std::uint32_t piece)
{
    const auto word = [&](std::uint32_t w) { return bit / 32 == piece * 4 + w ? 1U << (bit % 32) : 0U; };
    return {word(0), word(1), word(2), word(3)};
}

/// A piece of the set that contains the first `count` bits.
[[nodiscard]] __device__ inline uint4 first_bits(std::uint32_t count, std::uint32_t piece)
{
    const auto word = [&](std::uint32_t w) {
        const std::uint32_t begin = (piece * 4 + w) * 32;
        return count <= begin ? 0U : count - begin >= 32 ? ~0U : (1U << (count - begin)) - 1;
    };
    return {word(0), word(1), word(2), word(3)};
}

}  // namespace wayfront::gpu::apsp
