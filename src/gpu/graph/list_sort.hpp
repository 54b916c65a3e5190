// Sorts each list of a graph in device memory.
#pragma once

#include <cstdint>

#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// Limits of sort_lists(). Tests use smaller limits. Pre: 0 < long_list < most_at_once < 2^31.
struct ListSortLimits
{
    // Length of a list, in columns, from which on the whole GPU sorts it; a block sorts a shorter
    // list.
    std::uint64_t long_list = std::uint64_t{1} << 20;
    // Largest number of columns of shorter lists that are sorted at once: CUB before CUDA 13 counts
    // in 32 bits.
    std::uint64_t most_at_once = (std::uint64_t{1} << 31) - 1;
};

/// Sorts columns[offsets[i]] to columns[offsets[i + 1] - 1] for each list i. `offsets` begins with
/// 0 and ends with columns.size(). Allocates a second buffer with the size of the columns, and
/// about 8 bytes for each list.
[[nodiscard]] DeviceBuffer<std::uint32_t> sort_lists(DeviceBuffer<std::uint32_t> columns,
                                                     const DeviceBuffer<std::uint64_t>& offsets, const Stream& stream,
                                                     ListSortLimits limits = {});

}  // namespace wayfront::gpu
