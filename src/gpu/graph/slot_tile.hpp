// The tile by which slots are laid out on GPUs (gpu/graph/device_graph.hpp), for those too who reckon without CUDA's headers.
#pragma once

#include <cstdint>

namespace wayfront::gpu {

inline constexpr std::uint32_t kTileSlots = 1024;

}  // namespace wayfront::gpu
