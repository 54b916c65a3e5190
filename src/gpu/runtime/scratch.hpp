// Scratch memory for CUB's device-wide algorithms.
#pragma once

#include <cstddef>

#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// Runs algorithm(memory, bytes), which calls an algorithm of CUB: first to get the size of its
/// scratch memory, then to run it. `scratch` grows as needed, and can be used for any number of
/// algorithms in one stream.
template <typename Algorithm>
void run_with_scratch(DeviceBuffer<std::byte>& scratch, Algorithm&& algorithm)
{
    std::size_t bytes = 0;
    check(algorithm(static_cast<void*>(nullptr), bytes));
    if (bytes > scratch.size()) scratch = DeviceBuffer<std::byte>(bytes);
    check(algorithm(static_cast<void*>(scratch.data()), bytes));
}

}  // namespace wayfront::gpu
