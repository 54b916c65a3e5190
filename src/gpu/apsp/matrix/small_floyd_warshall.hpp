// Floyd-Warshall on matrices that do not fill a GPU, as the host sees it
// (small_floyd_warshall.cuh). Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

/// Largest number of vertices of a matrix that concurrent blocks close.
inline constexpr std::uint32_t kMostResident = 1024;

/// The memory that the blocks of close_resident() share. Calls for matrices of one size and one
/// kind of sums reuse it. The first call allocates it (ResidentPanelsPlan). Calls use its two
/// halves in turn, and run one after the other, since they are in one stream.
struct ResidentPanels
{
    DeviceBuffer<std::uint32_t> words;
    std::uint32_t launches = 0;
};

/// Starts to close matrices of at most kMostOfBlock vertices, each in one block. Pre: distances
/// have 32 or 64 bits.
void close_in_blocks(const FloydWarshallView& view, std::uint32_t vertices, std::uint32_t matrices, MinPlusSums sums,
                     const Stream& stream);

/// Whether concurrent blocks can close a matrix with this number of vertices on this GPU.
[[nodiscard]] bool fits_resident(std::uint32_t vertices);

/// Starts to close a matrix in one kernel. Pre: fits_resident(vertices), and distances have 32
/// bits. Throws ResourceError.
void close_resident(const FloydWarshallView& view, std::uint32_t vertices, MinPlusSums sums, ResidentPanels& panels,
                    const Stream& stream);

}  // namespace wayfront::gpu::apsp
