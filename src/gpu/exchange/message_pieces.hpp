// Where the pieces of a message are. Needs no CUDA.
#pragma once

#include <cstddef>

namespace wayfront::gpu {

/// A piece for each rank, one after the other. Kernels fill and read them in device memory or in pinned memory.
struct MessagePieces
{
    std::byte* send;
    std::byte* receive;
    // What was received, in memory of this process, from the end of the call until the next one; null if it does not
    // pass through there.
    std::byte* on_host = nullptr;
};

/// The bytes of a piece, from its beginning, that the receiver reads.
using UsedBytes = std::size_t (*)(const std::byte* piece, std::size_t piece_bytes);
[[nodiscard]] inline std::size_t all_bytes(const std::byte* /*piece*/, std::size_t piece_bytes)
{
    return piece_bytes;
}

}  // namespace wayfront::gpu
