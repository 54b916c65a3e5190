// Makes the lists of a rank's rows from numbered vertices: the keys of own edges are sorted, and
// duplicates are removed.
#pragma once

#include <cstdint>

#include "gpu/construction/numbering.hpp"
#include "gpu/construction/options.hpp"

namespace wayfront::gpu::construction {

struct RowLists
{
    DeviceBuffer<std::uint64_t> offsets;  // slot_stride + 1
    // Columns, without unused entries; they ascend in each list.
    DeviceBuffer<std::uint32_t> neighbours;
};

/// Makes the lists of `rows`. Takes their starts out of `numbers`, and frees the columns of ends if no
/// other starts are left. `live_bytes`: those of other lists. Not collective. Returns when all work is
/// done. Throws ResourceError if device memory does not suffice.
[[nodiscard]] RowLists make_row_lists(const TupleSource& tuples, Numbering& numbers, RowEnds rows,
                                      std::size_t live_bytes, const Stream& stream, const ConstructionOptions& options,
                                      ConstructionReport& report);

}  // namespace wayfront::gpu::construction
