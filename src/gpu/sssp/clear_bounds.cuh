// Clears the bounds of the last search, in parts, before pulls begin.
#pragma once

#include <cstdint>

#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu {

/// The parts in which bounds are cleared before the first pull. A search has about as many steps of
/// few vertices, during which memory is idle.
inline constexpr std::uint32_t kClearParts = 16;

/// Makes a part of the vertices unknown, with the bounds that their lightest arcs allow. Leaves have
/// no bounds. All blocks from the given one on share out this work.
template <typename Distance>
__device__ void clear_part(const SsspView& view, std::uint32_t part, unsigned first_block)
{
    if (blockIdx.x < first_block) return;
    constexpr std::uint32_t each = 2;     // under way together
    constexpr std::uint32_t columns = 4;  // of a thread at a time; a divisor of first_leaf_column
    const std::uint32_t skipped = first_block * blockDim.x;
    const std::uint32_t stride = gridDim.x * blockDim.x - skipped;
    const std::uint32_t count = view.first_leaf_column / columns;
    const std::uint32_t share = count / kClearParts + 1;
    const std::uint32_t begin = share * part;
    const std::uint32_t end = begin + share < count ? begin + share : count;
    const bool pulls = view.pull_from != SsspView::kNever;
    const auto* const lightest = reinterpret_cast<const uint4*>(view.own.lightest);
    auto* const bounds = reinterpret_cast<uint4*>(view.own.bounds);
#pragma unroll 1
    for (std::uint32_t first = begin + blockIdx.x * blockDim.x + threadIdx.x - skipped; first < end; first += each * stride) {
        uint4 arcs[each];
#pragma unroll
        for (std::uint32_t k = 0; k < each; ++k) {
            const std::uint32_t i = first + k * stride;
            arcs[k] = pulls && i < end ? __ldcs(lightest + i) : uint4{};
        }
#pragma unroll
        for (std::uint32_t k = 0; k < each; ++k) {
            const std::uint32_t i = first + k * stride;
            if (i >= end) continue;
            bounds[2 * std::uint64_t{i}] = {kUnknown<Distance>, arcs[k].x, kUnknown<Distance>, arcs[k].y};
            bounds[2 * std::uint64_t{i} + 1] = {kUnknown<Distance>, arcs[k].z, kUnknown<Distance>, arcs[k].w};
        }
    }
}

template <typename Distance>
__device__ void clear_all(const SsspView& view)
{
    for (std::uint32_t part = 0; part < kClearParts; ++part) clear_part<Distance>(view, part, 0);
}

}  // namespace wayfront::gpu
