// The resident search for shortest paths: one cooperative kernel runs a whole search.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu {

inline constexpr int kSsspThreads = 1024;  // of a block

/// How the kernel is launched on this device.
struct SsspLaunch
{
    unsigned blocks = 0;           // one on each multiprocessor
    std::size_t shared_bytes = 0;  // of a block, apart from static ones
    std::uint32_t hubs = 0;        // slots whose distances fit these
};

/// Throws ResourceError if the device cannot run all blocks at once. `type`: uint32 or float32.
[[nodiscard]] SsspLaunch plan_sssp_launch(WeightType type);

/// Puts the states of pushes into the state between searches.
void clear_push_states(const SsspView& view, const Stream& stream);

/// Searches and writes the results by local number.
void launch_sssp(const SsspView& view, SsspSource source, WeightType type, const SsspLaunch& how, const Stream& stream);

}  // namespace wayfront::gpu
