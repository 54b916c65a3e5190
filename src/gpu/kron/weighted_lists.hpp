// Makes the lists of one rank's rows with weights from numbered vertices: the keys of edges are
// sorted with their weights, duplicates are removed, and each list is sorted by weight.
#pragma once

#include <cstdint>

#include "gpu/graph/arc_lists.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/numbering.hpp"

namespace wayfront::gpu {

class TuplePass;

struct WeightedLists
{
    // Of weighted_slots(numbers.connected) slots, with some unused arcs at the end.
    ArcArrays arrays;
    std::uint64_t arcs = 0;  // without padding
    double weight_sum = 0;   // of all arcs
};

/// Frees column_of_recursive and row_starts of `numbers`. Returns when all work is done. Pre:
/// numbers.view.ranks = 1. Throws ResourceError if device memory does not suffice.
[[nodiscard]] WeightedLists make_weighted_lists(const TuplePass& tuples, Numbering& numbers, const Stream& stream, const ConstructionOptions& options,
                                                ConstructionReport& report);

}  // namespace wayfront::gpu
