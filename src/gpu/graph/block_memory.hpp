// Checks the device memory for a rank's block of the matrix, for engines that the host drives. Free
// of CUDA's headers.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/device_bytes.hpp"
#include "graph/csr.hpp"

namespace wayfront::gpu {

/// Returns the number of the current device. Throws ResourceError if `bytes` exceed the free memory
/// of the device or `most_bytes`. The message ends with `advice`.
[[nodiscard]] int device_with_room(DeviceBytes bytes, std::size_t most_bytes, std::string_view advice);

[[nodiscard]] int multiprocessors_of(int device);

/// The number of pieces of all wide lists (list_tiles.hpp).
[[nodiscard]] std::size_t count_wide_pieces(const CsrView& lists);

}  // namespace wayfront::gpu
