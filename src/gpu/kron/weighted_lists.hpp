// Makes the lists of a rank's rows with weights from numbered vertices: the keys of own edges are
// sorted with their weights, duplicates are removed, and each list is sorted by weight.
#pragma once

#include <cstdint>

#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/column_numbers.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/numbering.hpp"

namespace wayfront::gpu::kron {

class TuplePass;

/// Weights are multiples of this unit, so that their sum in units is a whole number, which fits 64
/// bits up to 2^33 arcs.
inline constexpr double kWeightUnit = 0x1p-31;

struct WeightedLists
{
    // The numbering of the vertices; with one rank, there are only weighted_slots(numbers.connected)
    // slots.
    ColumnNumbers columns;
    // Of columns.slot_stride slots, with some unused arcs at the end.
    ArcArrays arrays;
    std::uint64_t arcs = 0;          // of this rank, without padding
    std::uint64_t weight_units = 0;  // the sum of the weights of these arcs
};

/// Frees column_of_recursive and row_starts of `numbers`. Not collective. Returns when all work is
/// done. Throws ResourceError if device memory does not suffice.
[[nodiscard]] WeightedLists make_weighted_lists(const TuplePass& tuples, Numbering& numbers, const Stream& stream,
                                                const ConstructionOptions& options, ConstructionReport& report);

}  // namespace wayfront::gpu::kron
