// The arguments of the kernels of blocked Floyd-Warshall. Needs no nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kTileRows = 128;
inline constexpr int kTileThreads = 256;

/// Number of vertices of the largest matrix that a single block closes.
inline constexpr std::uint32_t kMostOfBlock = 64;
/// Number of vertices of a step in close_resident() (small_floyd_warshall.cuh).
inline constexpr std::uint32_t kStepVertices = 32;
/// Number of vertices of a tile's side in the paper's forms (task_floyd_warshall.cuh).
inline constexpr std::uint32_t kTaskTile = 32;

/// The representation and the addition of distances; see gpu/apsp/matrix/min_plus.cuh.
enum class MinPlusSums : std::uint8_t { unsigned_floats, floats, unsigned_wholes, wholes, shorts, doubles };

struct FloydWarshallView
{
    /// The matrix by rows, in words of 32 bits. The numbers of rows and columns are multiples of
    /// kTileRows. A word is one distance, two distances of 16 bits, or half of a distance of 64
    /// bits. The distances of the padding are infinite, and 0 on the diagonal.
    std::uint32_t* matrix = nullptr;
    std::size_t stride = 0;  // number of words from row to row
    /// The tiles in the pivot's columns, transposed: a row for each of the pivot's columns. Each
    /// distance is spread over a word, or over two words if it has 64 bits.
    std::uint32_t* columns = nullptr;
    /// Number of rows of a matrix: a multiple of kTileRows, or less if the matrix has few vertices.
    /// Matrices that are closed together are stored one after the other, and so are their
    /// transposed tiles.
    std::uint32_t size = 0;
};

}  // namespace wayfront::gpu::apsp
