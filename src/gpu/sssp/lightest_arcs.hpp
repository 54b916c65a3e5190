// A lower bound of the distance of a vertex of which a search knows nothing yet, from the weights of
// its two lightest arcs.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/runtime/leading_zeros.hpp"

namespace wayfront::gpu::sssp {

/// Weights as 16 bits, rounded down; in the same order. They are the bits of floats that are not
/// negative, of which the first one is 0.
struct FloatWeights
{
    [[nodiscard]] static WAYFRONT_HD std::uint32_t shortened(std::uint32_t weight) { return weight >> 15; }
    [[nodiscard]] static WAYFRONT_HD std::uint32_t lengthened(std::uint32_t half) { return half << 15; }
};

/// The same for whole numbers. Those below 512 are exact; of others, 9 bits and their number of
/// bits are left.
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

/// The weights of the two lightest arcs of a vertex, shortened, in one word.
///
/// If nothing is known of a vertex, the shortest way to it that there can be comes from a neighbour
/// at the smallest distance that matters, by the lightest arc. To the vertex at the end of this arc,
/// that way is of no use, since it would lead there and back; for it, the second arc counts. In a
/// directed graph, whose arcs back may have other weights, the second arc is the first once more.
/// Pre: all vertices at smaller distances than that have relaxed all their arcs.
template <typename Weights>
struct LightestArcs
{
    std::uint32_t word = 0;

    [[nodiscard]] static WAYFRONT_HD LightestArcs of(std::uint32_t lightest, std::uint32_t second)
    {
        return {Weights::shortened(lightest) << 16 | Weights::shortened(second)};
    }

    /// The weight, rounded down, of the lightest arc other than one of this weight. If the weight is
    /// shortened to that of the lightest arc, it is this arc's, or those of the two lightest arcs
    /// are shortened to the same.
    [[nodiscard]] WAYFRONT_HD std::uint32_t other_than(std::uint32_t weight) const
    {
        const std::uint32_t lightest = word >> 16;
        return Weights::lengthened(Weights::shortened(weight) == lightest ? word & 0xFFFF : lightest);
    }
};

}  // namespace wayfront::gpu::sssp
