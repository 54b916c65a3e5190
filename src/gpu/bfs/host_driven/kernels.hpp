// The launches of the GPU engine's kernels. Each call puts its kernels into the stream and returns;
// no call allocates or waits.
#pragma once

#include <cstdint>

#include "base/parallel.hpp"
#include "gpu/bfs/host_driven/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

/// Sets one bit.
void launch_set_bit(std::uint32_t* bitmap, std::uint32_t i, const Stream& stream);

/// Sets the bits of the members of a list, and leaves the other bits unchanged.
void launch_bitmap_from_list(const std::uint32_t* list, std::uint64_t count, std::uint32_t* bitmap,
                             const Stream& stream);

/// Appends the members of a bitmap of `words` words to `list`, in any order, from position *size
/// on. Adds their number to *size, which is in device memory.
void launch_list_from_bitmap(const std::uint32_t* bitmap, std::uint64_t words, std::uint32_t* list, std::uint64_t* size,
                             const Stream& stream);

/// Runs a top-down level over the `count` columns of level.frontier_list: marks the found rows as
/// seen, writes their parents, appends the rows to found_list, and counts them in the header.
void launch_top_down_kernels(const BlockView& block, const LevelView& level, std::uint64_t count, int multiprocessors,
                             const Stream& stream);

/// Runs a bottom-up level over the rows of these 32-bit words: reads
/// frontier_bitmap, writes these words of found_bitmap, marks the found rows as seen, writes their
/// parents, and adds their number to the header.
void launch_bottom_up_kernel(const BlockView& block, const LevelView& level, IndexRange words, int multiprocessors,
                             const Stream& stream);

}  // namespace wayfront::gpu::bfs
