// From numbered vertices to the lists of a rank's rows: own edges as keys, sorted, without duplicates.
#pragma once

#include <cstdint>

#include "gpu/kron/construction.hpp"
#include "gpu/kron/numbering.hpp"

namespace wayfront::gpu {

struct RowLists
{
    DeviceBuffer<std::uint64_t> offsets;     // slot_stride + 1
    DeviceBuffer<std::uint32_t> neighbours;  // columns, exactly as many as there are; ascending in a list
};

/// Takes column_of_recursive and row_starts out of `numbers`. Not collective. Returns with all work done; throws ResourceError where memory ends.
[[nodiscard]] RowLists make_row_lists(const TuplePass& tuples, Numbering& numbers, const Stream& stream, const ConstructionOptions& options,
                                      ConstructionReport& report);

}  // namespace wayfront::gpu
