// Distances of searches, and elements of rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "graph/distances.hpp"

namespace wayfront::gpu::apsp {

/// Distances as whole numbers. The host has checked that distances and weights are below kEnd. Sums
/// therefore fit 32 bits if only distances below kEnd are added.
struct WholeDistances
{
    static constexpr std::uint32_t kFar = 0xFFFFFFFF;
    static constexpr std::uint32_t kEnd = 0x80000000;
    [[nodiscard]] static __device__ std::uint32_t sum(std::uint32_t distance, std::uint32_t weight)
    {
        return distance + weight;
    }
    /// begin + width, at most kEnd. Pre: begin is at most kEnd.
    [[nodiscard]] static __device__ std::uint32_t end_of_window(std::uint32_t begin, std::uint32_t width)
    {
        return width < kEnd - begin ? begin + width : kEnd;
    }
    [[nodiscard]] static __device__ float number_of(std::uint32_t distance) { return static_cast<float>(distance); }
    /// The width of a window from a number.
    [[nodiscard]] static __device__ std::uint32_t width_of(float number)
    {
        return static_cast<std::uint32_t>(fminf(fmaxf(number, 1), kMostWidth));
    }
    static constexpr float kMostWidth = 1e9;
};

/// Distances as floats that are not negative. Their bits have the same order.
struct FloatDistances
{
    static constexpr std::uint32_t kFar = 0x7F800000;
    [[nodiscard]] static __device__ std::uint32_t sum(std::uint32_t distance, std::uint32_t weight)
    {
        return __float_as_uint(__fadd_rn(__uint_as_float(distance), __uint_as_float(weight)));
    }
    /// begin + width; a number above `begin` even if rounding loses the width.
    [[nodiscard]] static __device__ std::uint32_t end_of_window(std::uint32_t begin, std::uint32_t width)
    {
        const std::uint32_t end = sum(begin, width);
        return end > begin ? end : begin + 1;
    }
    [[nodiscard]] static __device__ float number_of(std::uint32_t distance) { return __uint_as_float(distance); }
    [[nodiscard]] static __device__ std::uint32_t width_of(float number) { return __float_as_uint(number); }
};

/// The element of a row for a distance of a search.
template <typename Out, typename Distances>
[[nodiscard]] __device__ Out element_of(std::uint32_t distance)
{
    if constexpr (std::is_same_v<Out, float>)
        return __uint_as_float(distance);
    else
        return distance == Distances::kFar ? unreached<Out>() : static_cast<Out>(distance);
}

}  // namespace wayfront::gpu::apsp
