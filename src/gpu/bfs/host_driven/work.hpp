// Small functions that the GPU engine's kernels and the host share. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace wayfront::gpu::bfs {

[[nodiscard]] WAYFRONT_HD constexpr bool has_bit(const std::uint32_t* words, std::uint32_t i)
{
    return ((words[i / 32] >> (i % 32)) & 1U) != 0;
}

/// Whether a set of `count` of `slots` slots takes fewer bytes as a list than as a bitmap.
[[nodiscard]] WAYFRONT_HD constexpr bool shorter_as_list(std::uint64_t count, std::uint64_t slots)
{
    return count * sizeof(std::uint32_t) < (slots + 7) / 8;
}

}  // namespace wayfront::gpu::bfs
