// The kernels of a rank's tiles in Floyd-Warshall (device_tiles.hpp), and their launches. A thread
// block computes a piece of 128 rows and 128 words (floyd_warshall.cuh).
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/matrix/device_tiles.hpp"
#include "gpu/apsp/matrix/floyd_warshall.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kPieceWords = 128;  // number of 32-bit words

template <typename Sums>
using PieceProduct = TileProduct<Sums, 2>;

/// The pieces first to last - 1 along a side of the matrix.
struct PieceRange
{
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    [[nodiscard]] __device__ bool has(std::uint32_t piece) const { return piece >= first && piece < last; }
};

/// The product C = min(C, A + B), without some pieces of C. Strides are in words of 32 bits.
struct ProductJob
{
    std::uint32_t* target = nullptr;  // C, row-major
    std::size_t target_stride = 0;
    // A: a row for each column; each distance is spread over a word, or over two words if it has 64
    // bits.
    const std::uint32_t* left = nullptr;
    std::size_t left_stride = 0;
    const std::uint32_t* right = nullptr;  // B, row-major
    std::size_t right_stride = 0;
    std::uint32_t depth = 0;  // number of columns of A and rows of B
    PieceRange kept_rows[2];
    PieceRange kept_columns[2];

    [[nodiscard]] __device__ bool keeps(std::uint32_t row, std::uint32_t column) const
    {
        return kept_rows[0].has(row) || kept_rows[1].has(row) || kept_columns[0].has(column) ||
               kept_columns[1].has(column);
    }
};

template <typename Sums>
__global__ void __launch_bounds__(kTileThreads, 2) multiply_pieces(ProductJob job)
{
    using Word = typename Sums::Word;
    static_assert(PieceProduct<Sums>::kWords * kHostWords<Sums> == kPieceWords);
    extern __shared__ uint4 groups[];
    if (job.keeps(blockIdx.y, blockIdx.x)) return;
    const std::size_t target_stride = job.target_stride / kHostWords<Sums>;
    auto* const own = reinterpret_cast<Word*>(job.target + std::size_t{blockIdx.y} * kTileRows * job.target_stride +
                                              std::size_t{blockIdx.x} * kPieceWords);
    PieceProduct<Sums> product(reinterpret_cast<Word*>(groups));
    product.load(own, target_stride);
    product.multiply(reinterpret_cast<const Word*>(job.left) + std::size_t{blockIdx.y} * kTileRows,
                     job.left_stride / kHostWords<Sums>,
                     reinterpret_cast<const Word*>(job.right + std::size_t{blockIdx.x} * kPieceWords),
                     job.right_stride / kHostWords<Sums>, job.depth);
    product.store(own, target_stride);
}

/// Starts multiply_pieces() for a target with this number of rows and words.
void multiply(const ProductJob& job, std::size_t rows, std::size_t words, MinPlusSums sums, const Stream& stream);

/// The range of a tile's pieces along a side; empty if the rank does not have the tile.
[[nodiscard]] PieceRange pieces(bool has, std::size_t local_tile, std::size_t of_tile);

/// Copies the first `words` words of each of `rows` rows within or between host and device memory.
void copy_rows(WordRows<std::uint32_t> to, WordRows<const std::uint32_t> from, std::size_t words, std::size_t rows,
               const Stream& stream);

inline constexpr std::uint32_t kTransposeSide = 32;
inline constexpr std::uint32_t kTransposeRows = 8;  // number of rows of threads in a block

/// Writes a row of `to` for each column of distances in `from`; each distance is spread over a
/// word. A block has kTransposeSide x kTransposeRows threads and takes kTransposeSide rows and
/// words. Words are those of the sums.
template <typename Sums>
__global__ void __launch_bounds__(kTransposeSide* kTransposeRows)
    spread_columns(const typename Sums::Word* from, std::size_t from_stride, typename Sums::Word* to,
                   std::size_t to_stride)
{
    __shared__ typename Sums::Word words[kTransposeSide][kTransposeSide + 1];
    const std::size_t first_row = std::size_t{blockIdx.y} * kTransposeSide;
    const std::size_t first_word = std::size_t{blockIdx.x} * kTransposeSide;
    for (std::uint32_t i = threadIdx.y; i < kTransposeSide; i += kTransposeRows)
        words[i][threadIdx.x] = from[(first_row + i) * from_stride + first_word + threadIdx.x];
    __syncthreads();
    for (std::uint32_t i = threadIdx.y; i < kTransposeSide; i += kTransposeRows)
        for (int place = 0; place < Sums::kOfWord; ++place)
            to[((first_word + i) * Sums::kOfWord + static_cast<std::uint32_t>(place)) * to_stride + first_row +
               threadIdx.x] = Sums::spread(words[threadIdx.x][i], place);
}

}  // namespace wayfront::gpu::apsp
