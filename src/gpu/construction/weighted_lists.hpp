// Makes the lists of a rank's rows with weights from numbered vertices: the keys of own edges are
// sorted with their weights, duplicates are removed, and each list is sorted by weight.
#pragma once

#include <cstdint>

#include "gpu/construction/numbering.hpp"
#include "gpu/construction/options.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/column_numbers.hpp"

namespace wayfront::gpu::construction {

/// The weights that tuples have: bits that are ordered as unsigned numbers.
struct WeightForm
{
    int bits = 32;                            // at most so many of them are used
    std::uint32_t infinite = kInfiniteFloat;  // the bits of an infinite weight; kInfiniteWhole for whole numbers
    // Whether weights are floats below 2, and multiples of kWeightUnit.
    bool in_units = false;
};

/// The unit of Kronecker weights, so that their sum in units is a whole number, which fits 64 bits up
/// to 2^33 arcs.
inline constexpr double kWeightUnit = 0x1p-31;

struct WeightedLists
{
    // The numbering of the vertices; with one rank, there are only weighted_slots(numbers.connected)
    // slots.
    ColumnNumbers columns;
    // Of columns.slot_stride slots, with some unused arcs at the end.
    ArcArrays arrays;
    std::uint64_t arcs = 0;  // of this rank, without padding
    // The sum of the weights of these arcs: in units if weights are multiples of these, else as it is.
    std::uint64_t weight_units = 0;
    double weight_sum = 0;
};

/// Makes the lists of `rows`. Frees their starts in `numbers`, and the columns of ends if no other
/// starts are left. `live_bytes`: those of other lists. Not collective. Returns when all work is
/// done. Throws ResourceError if device memory does not suffice.
[[nodiscard]] WeightedLists make_weighted_lists(const TupleSource& tuples, Numbering& numbers, RowEnds rows,
                                                const WeightForm& form, std::size_t live_bytes, const Stream& stream,
                                                const ConstructionOptions& options, ConstructionReport& report);

}  // namespace wayfront::gpu::construction
