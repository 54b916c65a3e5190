// Makes the lists of a rank's rows after the vertices are numbered: the keys of own edges are
// sorted, and duplicates are removed.
#pragma once

#include <cstdint>

#include "gpu/construction/numbering.hpp"
#include "gpu/construction/options.hpp"

namespace wayfront::gpu::construction {

struct RowLists
{
    DeviceBuffer<std::uint64_t> offsets;  // slot_stride + 1 elements
    // Columns, without unused entries. They ascend within each list.
    DeviceBuffer<std::uint32_t> neighbours;
};

/// Makes the lists of from.rows. Moves their starts out of from.numbers, and frees the columns of
/// ends if no other starts remain. `live_bytes`: memory of other lists. Not collective. Returns
/// when all work is complete. Throws ResourceError if the device memory does not suffice.
[[nodiscard]] RowLists make_row_lists(const NumberedTuples& from, std::size_t live_bytes, ConstructionRun& run);

}  // namespace wayfront::gpu::construction
