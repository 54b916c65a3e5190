// Sorts the lists of a graph in device memory, each by itself.
#pragma once

#include <cstdint>

#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// Tests use smaller limits. Pre: 0 < long_list < most_at_once < 2^31.
struct ListSortLimits
{
    // Columns: the whole GPU sorts a list of at least this length, a block sorts a shorter one.
    std::uint64_t long_list = std::uint64_t{1} << 20;
    // Columns of shorter lists, sorted at once: CUB before CUDA 13 counts in 32 bits.
    std::uint64_t most_at_once = (std::uint64_t{1} << 31) - 1;
};

/// Sorts columns[offsets[i]] to columns[offsets[i + 1] - 1] for each list i; offsets begin with 0
/// and end with columns.size(). Allocates a second buffer of the columns' size, and about 8 bytes
/// for each list.
[[nodiscard]] DeviceBuffer<std::uint32_t> sort_lists(DeviceBuffer<std::uint32_t> columns,
                                                     const DeviceBuffer<std::uint64_t>& offsets, const Stream& stream,
                                                     ListSortLimits limits = {});

}  // namespace wayfront::gpu
