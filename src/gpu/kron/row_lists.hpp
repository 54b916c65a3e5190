// Makes the lists of a rank's rows from numbered vertices: the keys of own edges are sorted, and
// duplicates are removed.
#pragma once

#include <cstdint>

#include "gpu/kron/construction.hpp"
#include "gpu/kron/numbering.hpp"

namespace wayfront::gpu::kron {

struct RowLists
{
    DeviceBuffer<std::uint64_t> offsets;  // slot_stride + 1
    // Columns, without unused entries; they ascend in each list.
    DeviceBuffer<std::uint32_t> neighbours;
};

/// Moves column_of_recursive and row_starts out of `numbers`. Not collective. Returns when all work
/// is done. Throws ResourceError if device memory does not suffice.
[[nodiscard]] RowLists make_row_lists(const TuplePass& tuples, Numbering& numbers, const Stream& stream,
                                      const ConstructionOptions& options, ConstructionReport& report);

}  // namespace wayfront::gpu::kron
