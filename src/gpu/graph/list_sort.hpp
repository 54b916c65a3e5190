// The lists of a graph in device memory, each sorted by itself.
#pragma once

#include <cstdint>

#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// Smaller ones are for tests. Pre: 0 < long_list < most_at_once < 2^31.
struct ListSortLimits
{
    std::uint64_t long_list = std::uint64_t{1} << 20;           // columns: so long a list is sorted by the whole GPU, a shorter one by a block
    std::uint64_t most_at_once = (std::uint64_t{1} << 31) - 1;  // columns of the shorter lists: CUB before CUDA 13 counts them in 32 bits
};

/// Sorts columns[offsets[i]] to columns[offsets[i + 1] - 1] for each list i; offsets begin with 0 and end with columns.size(). Takes a second buffer
/// of the columns' size, and some 8 bytes a list.
[[nodiscard]] DeviceBuffer<std::uint32_t> sort_lists(DeviceBuffer<std::uint32_t> columns, const DeviceBuffer<std::uint64_t>& offsets,
                                                     const Stream& stream, ListSortLimits limits = {});

}  // namespace wayfront::gpu
