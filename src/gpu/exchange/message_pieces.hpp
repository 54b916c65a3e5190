// The memory of a message's pieces. Needs no CUDA.
#pragma once

#include <cstddef>

namespace wayfront::gpu {

/// Pieces for all ranks, one after the other. Kernels fill and read the pieces in device memory or
/// in pinned host memory.
struct MessagePieces
{
    std::byte* send;
    std::byte* receive;
    // The received pieces in host memory, valid from the end of the call until the next call; null
    // if the pieces do not pass through host memory.
    std::byte* on_host = nullptr;
};

/// A function that returns the number of bytes, from the beginning of a piece, that the receiver
/// reads.
using UsedBytes = std::size_t (*)(const std::byte* piece, std::size_t piece_bytes);
[[nodiscard]] inline std::size_t all_bytes(const std::byte* /*piece*/, std::size_t piece_bytes)
{
    return piece_bytes;
}

}  // namespace wayfront::gpu
