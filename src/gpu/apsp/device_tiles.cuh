// The kernels of a rank's tiles of Floyd-Warshall (device_tiles.hpp), and their launches. Pieces of
// 128 rows and 128 words are computed by a block each (floyd_warshall.cuh).
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/floyd_warshall.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

inline constexpr std::uint32_t kPieceWords = 128;

/// Pieces first to last - 1 of a side.
struct PieceRange
{
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    [[nodiscard]] __device__ bool has(std::uint32_t piece) const { return piece >= first && piece < last; }
};

/// C = min(C, A + B), of words, but for some pieces of C.
struct ProductJob
{
    std::uint32_t* target = nullptr;  // C, row-major
    std::size_t target_stride = 0;
    // A: a row for each column, each distance spread over a word.
    const std::uint32_t* left = nullptr;
    std::size_t left_stride = 0;
    const std::uint32_t* right = nullptr;  // B, row-major
    std::size_t right_stride = 0;
    std::uint32_t depth = 0;  // columns of A, rows of B
    PieceRange kept_rows[2];
    PieceRange kept_columns[2];

    [[nodiscard]] __device__ bool keeps(std::uint32_t row, std::uint32_t column) const
    {
        return kept_rows[0].has(row) || kept_rows[1].has(row) || kept_columns[0].has(column) || kept_columns[1].has(column);
    }
};

template <typename Sums>
__global__ void __launch_bounds__(kTileThreads, 2) multiply_pieces(ProductJob job)
{
    using Product = TileProduct<Sums, kPieceWords / 64>;
    extern __shared__ uint4 fours[];
    auto* const shared = reinterpret_cast<std::uint32_t*>(fours);
    if (job.keeps(blockIdx.y, blockIdx.x)) return;
    std::uint32_t* const own = job.target + std::size_t{blockIdx.y} * kTileRows * job.target_stride + std::size_t{blockIdx.x} * kPieceWords;
    Product product(shared);
    product.load(own, job.target_stride);
    product.multiply(job.left + std::size_t{blockIdx.y} * kTileRows, job.left_stride, job.right + std::size_t{blockIdx.x} * kPieceWords,
                     job.right_stride, job.depth);
    product.store(own, job.target_stride);
}

/// Starts multiply_pieces() for a target of so many rows and words.
void multiply(const ProductJob& job, std::size_t rows, std::size_t words, MinPlusSums sums, const Stream& stream);

/// A tile's pieces on a side; none if the rank does not have it.
[[nodiscard]] PieceRange pieces(bool has, std::size_t local_tile, std::size_t of_tile);

/// Copies rows of words between any two of host and device memory. Strides are in words.
void copy_rows(std::uint32_t* to, std::size_t to_stride, const std::uint32_t* from, std::size_t from_stride, std::size_t words, std::size_t rows,
               const Stream& stream);

inline constexpr std::uint32_t kTransposeSide = 32;
inline constexpr std::uint32_t kTransposeRows = 8;  // of threads

/// Writes a row of `to` for each column of distances of `from`, each distance spread over a word.
/// Blocks have kTransposeSide x kTransposeRows threads and take kTransposeSide rows and words each.
template <typename Sums>
__global__ void __launch_bounds__(kTransposeSide* kTransposeRows)
    spread_columns(const std::uint32_t* from, std::size_t from_stride, std::uint32_t* to, std::size_t to_stride)
{
    __shared__ std::uint32_t words[kTransposeSide][kTransposeSide + 1];
    const std::size_t first_row = std::size_t{blockIdx.y} * kTransposeSide;
    const std::size_t first_word = std::size_t{blockIdx.x} * kTransposeSide;
    for (std::uint32_t i = threadIdx.y; i < kTransposeSide; i += kTransposeRows)
        words[i][threadIdx.x] = from[(first_row + i) * from_stride + first_word + threadIdx.x];
    __syncthreads();
    for (std::uint32_t i = threadIdx.y; i < kTransposeSide; i += kTransposeRows)
        for (int place = 0; place < Sums::kOfWord; ++place)
            to[((first_word + i) * Sums::kOfWord + static_cast<std::uint32_t>(place)) * to_stride + first_row + threadIdx.x] =
                Sums::spread(words[threadIdx.x][i], place);
}

template <typename Sums>
__global__ void fill_words(std::uint32_t* words, std::uint64_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) words[i] = Sums::kInfinity;
}

}  // namespace wayfront::gpu
