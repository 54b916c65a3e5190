// The arguments of the kernels of blocked Floyd-Warshall. Needs no nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kTileRows = 128;
inline constexpr int kTileThreads = 256;

/// The vertices of the largest matrix that one block closes.
inline constexpr std::uint32_t kMostOfBlock = 64;
/// The vertices of a step of blocks that run together (small_floyd_warshall.cuh).
inline constexpr std::uint32_t kStepVertices = 32;
/// The vertices of a tile of the paper's forms (task_floyd_warshall.cuh).
inline constexpr std::uint32_t kTaskTile = 32;

/// How distances are stored and added; see gpu/apsp/matrix/min_plus.cuh.
enum class MinPlusSums : std::uint8_t { unsigned_floats, floats, unsigned_wholes, wholes, shorts, doubles };

struct FloydWarshallView
{
    /// The matrix by rows. The numbers of rows and columns are multiples of kTileRows. A word has
    /// 32 bits: one distance, two of 16 bits, or half of a distance of 64 bits. The distances of
    /// the padding are infinite, and 0 on the diagonal.
    std::uint32_t* matrix = nullptr;
    std::size_t stride = 0;  // words of a row
    /// The tiles in the pivot's columns, transposed: a row for each of the pivot's columns, each
    /// distance spread over a word, or two if it has 64 bits.
    std::uint32_t* columns = nullptr;
    /// Rows of a matrix, a multiple of kTileRows, or less if a matrix has few vertices. Matrices
    /// that are closed together follow each other, and so do their transposed tiles.
    std::uint32_t size = 0;
};

}  // namespace wayfront::gpu::apsp
