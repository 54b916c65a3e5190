// The kernels of the GPU engine, as the host launches them. Each call puts its kernels into the stream and returns; nothing here allocates or waits.
#pragma once

#include <cstdint>

#include "gpu/bfs/host_driven/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Sets one bit.
void launch_set_bit(std::uint32_t* bitmap, std::uint32_t i, const Stream& stream);

/// Sets the bits of a list's members; others stay.
void launch_bitmap_from_list(const std::uint32_t* list, std::uint64_t count, std::uint32_t* bitmap, const Stream& stream);

/// Appends the members of a bitmap of `words` words to `list`, in any order, from position *size (device memory) on, and adds their number to it.
void launch_list_from_bitmap(const std::uint32_t* bitmap, std::uint64_t words, std::uint32_t* list, std::uint64_t* size, const Stream& stream);

/// A top-down level over the `count` columns of level.frontier_list: marks what it finds as seen, writes its parents, appends it to found_list
/// and counts it in the header.
void launch_top_down_kernels(const BlockView& block, const LevelView& level, std::uint64_t count, int multiprocessors, const Stream& stream);

/// The bottom-up level of the rows of words [first_word, last_word) of 32 rows: reads frontier_bitmap, writes these words of found_bitmap, marks them
/// as seen, writes parents and adds to the header's count.
void launch_bottom_up_kernel(const BlockView& block, const LevelView& level, std::uint32_t first_word, std::uint32_t last_word, int multiprocessors,
                             const Stream& stream);

}  // namespace wayfront::gpu
