// Blocked Floyd-Warshall: the kernels of a step.
//
// Follows "A GPU implementation of the Floyd-Warshall algorithm" in three kernels a step
// (blocked-fw): the pivot tile is closed; the tiles of its row and of its column are multiplied by
// it; all others take the product of their tiles in the pivot's column and row. The same code
// computes all products, which are min-plus products, with 8 x 8 words in the registers of each of
// 256 threads.
//
// The left factor is read by columns. The pivot tile and its column are therefore stored a second
// time, transposed and with each distance spread over a word, so that asynchronous copies of 16
// bytes load the factors' rows in the form in which they are used.
//
// Bounds on an H200: 16.4 T relaxations/s of floats that are not negative, and of int32, and 31.7
// of pairs of uint16; a step of n x n reads and writes the matrix once, 8 n^2 / (4.3 TB/s) for
// 4-byte distances, which is a quarter of the time that 128 n^2 relaxations take.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_pipeline.h>

#include "gpu/apsp/floyd_warshall_view.hpp"
#include "gpu/apsp/min_plus.cuh"

namespace wayfront::gpu {

/// A product of two factors that one block of 256 threads computes: kTileRows rows of 64 Halves
/// words. The thread has rows 4 ty .. 4 ty + 3 and 64 + 4 ty .. 64 + 4 ty + 3, and
/// the words likewise with tx, so that it reads 16 bytes at a time, and a warp's lanes no bank
/// twice.
template <typename Sums, std::uint32_t Halves>
class TileProduct
{
public:
    using Word = typename Sums::Word;
    static constexpr std::uint32_t kWords = 64 * Halves;  // of the columns of a tile
    static constexpr std::uint32_t kDeep = 32;            // of a chunk
    static constexpr std::uint32_t kChunkWords = kDeep * (kTileRows + kWords);
    static constexpr std::size_t kSharedBytes = 2 * kChunkWords * sizeof(Word);

    __device__ explicit TileProduct(Word* shared) : shared_(shared) {}

    /// Loads the tile that the product is taken into.
    __device__ void load(const Word* tile, std::size_t stride)
    {
        for_each_four([&](std::uint32_t row, std::uint32_t word, Word(&four)[4]) {
            const uint4 words = __ldcs(reinterpret_cast<const uint4*>(tile + row * stride + word));
            four[0] = words.x;
            four[1] = words.y;
            four[2] = words.z;
            four[3] = words.w;
        });
    }

    /// Stores the tile, except for the words from `kept` to `kept_end`.
    __device__ void store(Word* tile, std::size_t stride, std::uint32_t kept = 0, std::uint32_t kept_end = 0)
    {
        for_each_four([&](std::uint32_t row, std::uint32_t word, const Word(&four)[4]) {
            if (word >= kept && word < kept_end) return;
            __stcg(reinterpret_cast<uint4*>(tile + row * stride + word), uint4{four[0], four[1], four[2], four[3]});
        });
    }

    /// Stores the tile transposed, each distance spread over a word.
    __device__ void store_transposed(Word* columns, std::size_t stride)
    {
#pragma unroll
        for (std::uint32_t half = 0; half < Halves; ++half)
#pragma unroll
            for (std::uint32_t k = 0; k < 4; ++k)
#pragma unroll
                for (int place = 0; place < Sums::kOfWord; ++place) {
                    Word* const column = columns + ((half * 64 + 4 * tx() + k) * Sums::kOfWord + place) * stride;
#pragma unroll
                    for (std::uint32_t i = 0; i < 8; i += 4)
                        __stcg(reinterpret_cast<uint4*>(column + own_row(i)),
                               uint4{Sums::spread(values_[i][half][k], place), Sums::spread(values_[i + 1][half][k], place),
                                     Sums::spread(values_[i + 2][half][k], place), Sums::spread(values_[i + 3][half][k], place)});
                }
    }

    /// Takes the product of `left`, kTileRows words for each of `depth` columns, and `right`,
    /// kWords words for each of `depth` rows. The depth is a multiple of kDeep.
    __device__ void multiply(const Word* left, std::size_t left_stride, const Word* right, std::size_t right_stride, std::uint32_t depth = kTileRows)
    {
        const std::uint32_t chunks = depth / kDeep;
        load_chunk(0, left, left_stride, right, right_stride);
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            if (chunk + 1 < chunks)
                load_chunk((chunk + 1) % 2, left + (chunk + 1) * kDeep * left_stride, left_stride, right + (chunk + 1) * kDeep * right_stride,
                           right_stride);
            else
                __pipeline_commit();
            __pipeline_wait_prior(1);
            __syncthreads();
            take_chunk(shared_ + (chunk % 2) * kChunkWords);
            __syncthreads();
        }
    }

    /// The words of shared memory that close() uses.
    static constexpr std::uint32_t kClosureWords = 4 * (kTileRows + kWords);

    /// Closes the tile by Floyd-Warshall, two vertices between barriers; the first `vertices` have
    /// arcs. Pre: the tile is square, with one distance in a word.
    __device__ void close(Word* shared, std::uint32_t vertices)
    {
        static_assert(Sums::kOfWord == 1 && Halves == 2);
        // The half is known when the program is compiled, so that the values stay in registers.
        close_half<0>(shared, vertices);
        close_half<1>(shared, vertices);
    }

    /// Calls f(row, word, four) for the groups of four words of the thread.
    template <typename F>
    __device__ void for_each_four(F&& f)
    {
#pragma unroll
        for (std::uint32_t i = 0; i < 8; ++i)
#pragma unroll
            for (std::uint32_t half = 0; half < Halves; ++half) f(own_row(i), half * 64 + 4 * tx(), values_[i][half]);
    }

    [[nodiscard]] static __device__ std::uint32_t tx()
    {
        return threadIdx.x % 16;
    }
    [[nodiscard]] static __device__ std::uint32_t ty()
    {
        return threadIdx.x / 16;
    }
    [[nodiscard]] static __device__ std::uint32_t own_row(std::uint32_t i)
    {
        return (i / 4) * 64 + 4 * ty() + i % 4;
    }

private:
    __device__ void load_chunk(std::uint32_t slot, const Word* left, std::size_t left_stride, const Word* right, std::size_t right_stride)
    {
        Word* const chunk = shared_ + slot * kChunkWords;
        load_rows<kTileRows>(chunk, left, left_stride);
        load_rows<kWords>(chunk + kDeep * kTileRows, right, right_stride);
        __pipeline_commit();
    }

    /// Begins to copy kDeep rows of this number of words.
    template <std::uint32_t Words>
    static __device__ void load_rows(Word* to, const Word* from, std::size_t stride)
    {
        constexpr std::uint32_t fours = Words / 4;
#pragma unroll
        for (std::uint32_t i = 0; i < kDeep * fours / kTileThreads; ++i) {
            const std::uint32_t at = i * kTileThreads + threadIdx.x;
            __pipeline_memcpy_async(to + 4 * at, from + at / fours * stride + at % fours * 4, 16);
        }
    }

    __device__ void take_chunk(const Word* chunk)
    {
        const Word* const left = chunk + 4 * ty();
        const Word* const right = chunk + kDeep * kTileRows + 4 * tx();
#pragma unroll 4
        for (std::uint32_t k = 0; k < kDeep; k += 2) {
            Word a[2][8];
            Word b[2][4 * Halves];
#pragma unroll
            for (std::uint32_t j = 0; j < 2; ++j) {
                copy_four(a[j], left + (k + j) * kTileRows);
                copy_four(a[j] + 4, left + (k + j) * kTileRows + 64);
#pragma unroll
                for (std::uint32_t half = 0; half < Halves; ++half) copy_four(b[j] + 4 * half, right + (k + j) * kWords + 64 * half);
            }
#pragma unroll
            for (std::uint32_t row = 0; row < 8; ++row)
#pragma unroll
                for (std::uint32_t word = 0; word < 4 * Halves; ++word)
                    Sums::relax(values_[row][word / 4][word % 4], a[0][row], b[0][word], a[1][row], b[1][word]);
        }
    }

    /// The paths over the vertices of a half of the rows.
    template <std::uint32_t half>
    __device__ void close_half(Word* shared, std::uint32_t vertices)
    {
        for (std::uint32_t group = 0; group < 16 && half * 64 + 4 * group < vertices; ++group)
#pragma unroll
            for (std::uint32_t e = 0; e < 4; e += 2) {
                const std::uint32_t k = half * 64 + 4 * group + e;
                Word* const rows = shared + k / 2 % 2 * (kClosureWords / 2);
                Word* const columns = rows + 2 * kWords;
                publish<half>(group, e, rows, columns);
                // Until the next barrier, the other half of the shared memory is read.
                __syncthreads();
                take_pair(rows, columns, rows[k + 1], columns[k + 1]);
            }
    }

    /// Stores two rows and two columns of the tile, those of a group from e on.
    template <std::uint32_t half>
    __device__ void publish(std::uint32_t group, std::uint32_t e, Word* rows, Word* columns)
    {
#pragma unroll
        for (std::uint32_t other = 0; other < 2; ++other) {
            if (ty() == group)
#pragma unroll
                for (std::uint32_t i = 0; i < 2; ++i) {
                    const Word(&four)[4] = values_[half * 4 + e + i][other];
                    *reinterpret_cast<uint4*>(rows + i * kWords + other * 64 + 4 * tx()) = uint4{four[0], four[1], four[2], four[3]};
                }
            if (tx() == group)
#pragma unroll
                for (std::uint32_t i = 0; i < 2; ++i)
                    *reinterpret_cast<uint4*>(columns + i * kTileRows + other * 64 + 4 * ty()) =
                        uint4{values_[other * 4][half][e + i], values_[other * 4 + 1][half][e + i], values_[other * 4 + 2][half][e + i],
                              values_[other * 4 + 3][half][e + i]};
        }
    }

    /// Takes the paths over two vertices. Given are their rows and columns, and the distances from
    /// the first to the second and back.
    __device__ void take_pair(const Word* rows, const Word* columns, Word there, Word back)
    {
        Word row_0[8], row_1[8], column_0[8], column_1[8];
#pragma unroll
        for (std::uint32_t other = 0; other < 2; ++other) {
            copy_four(row_0 + 4 * other, rows + other * 64 + 4 * tx());
            copy_four(row_1 + 4 * other, rows + kWords + other * 64 + 4 * tx());
            copy_four(column_0 + 4 * other, columns + other * 64 + 4 * ty());
            copy_four(column_1 + 4 * other, columns + kTileRows + other * 64 + 4 * ty());
        }
        // The second vertex's row and column after the step of the first vertex.
#pragma unroll
        for (std::uint32_t i = 0; i < 8; ++i) {
            Sums::take(row_1[i], back, row_0[i]);
            Sums::take(column_1[i], column_0[i], there);
        }
#pragma unroll
        for (std::uint32_t row = 0; row < 8; ++row)
#pragma unroll
            for (std::uint32_t word = 0; word < 8; ++word)
                Sums::relax(values_[row][word / 4][word % 4], column_0[row], row_0[word], column_1[row], row_1[word]);
    }

    static __device__ void copy_four(Word* to, const Word* from)
    {
        const uint4 words = *reinterpret_cast<const uint4*>(from);
        to[0] = words.x;
        to[1] = words.y;
        to[2] = words.z;
        to[3] = words.w;
    }

    Word* shared_;
    Word values_[8][Halves][4];
};

}  // namespace wayfront::gpu
