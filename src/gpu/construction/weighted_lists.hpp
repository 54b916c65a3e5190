// Makes the lists with weights of a rank's rows after the vertices are numbered: the keys of own
// edges are sorted with their weights, duplicates are removed, and each list is sorted by weight.
#pragma once

#include <cstdint>

#include "gpu/construction/numbering.hpp"
#include "gpu/construction/options.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/column_numbers.hpp"

namespace wayfront::gpu::construction {

/// The form of the weights of tuples. The bits of weights have the order of unsigned numbers.
struct WeightForm
{
    int bits = 32;                            // largest number of bits of a weight
    std::uint32_t infinite = kInfiniteFloat;  // the bits of an infinite weight; kInfiniteWhole for whole numbers
    // Whether weights are floats below 2 and multiples of kWeightUnit.
    bool in_units = false;
};

/// The unit of Kronecker weights. The sum of weights in this unit is a whole number, which fits 64
/// bits up to 2^33 arcs.
inline constexpr double kWeightUnit = 0x1p-31;

struct WeightedLists
{
    // The lists, with some unused arcs at the end. With one rank, there are only
    // weighted_slots(from.numbers.connected) slots.
    PlacedArcs placed;
    // Sum of the weights of these arcs: weight_units if the weights are multiples of kWeightUnit,
    // otherwise weight_sum.
    std::uint64_t weight_units = 0;
    double weight_sum = 0;
};

/// Makes the lists of from.rows. Frees their starts in from.numbers, and the columns of ends if no
/// other starts remain. `live_bytes`: memory of other lists. Not collective. Returns when all work
/// is complete. Throws ResourceError if the device memory does not suffice.
[[nodiscard]] WeightedLists make_weighted_lists(const NumberedTuples& from, const WeightForm& form,
                                                std::size_t live_bytes, ConstructionRun& run);

}  // namespace wayfront::gpu::construction
