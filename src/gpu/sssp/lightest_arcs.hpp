// A lower bound of the distance of a vertex while nothing else is known of the vertex, from the
// weights of its two lightest arcs.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/runtime/leading_zeros.hpp"

namespace wayfront::gpu::sssp {

/// Float weights that are not negative, shortened to 16 bits and rounded down. Their order is kept.
/// The sign bit, which is 0, is dropped.
struct FloatWeights
{
    [[nodiscard]] static WAYFRONT_HD std::uint32_t shortened(std::uint32_t weight) { return weight >> 15; }
    [[nodiscard]] static WAYFRONT_HD std::uint32_t lengthened(std::uint32_t half) { return half << 15; }
};

/// Whole weights shortened to 16 bits and rounded down. Their order is kept. Numbers below 512 are
/// exact. Of other numbers, the 9 highest bits and the number of bits are kept.
struct WholeWeights
{
    [[nodiscard]] static WAYFRONT_HD std::uint32_t shortened(std::uint32_t weight)
    {
        if (weight < kUnchanged) return weight;
        const std::uint32_t dropped = 23 - leading_zeros(weight);
        return (dropped + 1) << 8 | ((weight >> dropped) & 0xFF);
    }
    [[nodiscard]] static WAYFRONT_HD std::uint32_t lengthened(std::uint32_t half)
    {
        return half < kUnchanged ? half : (0x100 | (half & 0xFF)) << ((half >> 8) - 1);
    }

private:
    static constexpr std::uint32_t kUnchanged = 256;
};

/// The shortened weights of the two lightest arcs of a vertex, in one word.
///
/// If nothing is known of a vertex, its shortest possible path comes from a neighbour at the
/// smallest distance that matters, along the lightest arc. This path is of no use for the vertex at
/// the other end of the lightest arc, since the path would lead there and back; for this vertex,
/// the second arc gives the bound. In a directed graph, the arcs back may have other weights, so
/// the lightest arc is also stored as the second. Pre: all vertices at distances below the smallest
/// one that matters have relaxed all their arcs.
template <typename Weights>
struct LightestArcs
{
    std::uint32_t word = 0;

    [[nodiscard]] static WAYFRONT_HD LightestArcs of(std::uint32_t lightest, std::uint32_t second)
    {
        return {Weights::shortened(lightest) << 16 | Weights::shortened(second)};
    }

    /// The weight, rounded down, of the lightest arc other than an arc of this weight. If `weight`
    /// and the lightest arc are shortened to the same bits, the second weight is returned.
    [[nodiscard]] WAYFRONT_HD std::uint32_t other_than(std::uint32_t weight) const
    {
        const std::uint32_t lightest = word >> 16;
        return Weights::lengthened(Weights::shortened(weight) == lightest ? word & 0xFFFF : lightest);
    }
};

}  // namespace wayfront::gpu::sssp
