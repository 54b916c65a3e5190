// Blocked Floyd-Warshall: the kernels of a step.
//
// The step follows "A GPU implementation of the Floyd-Warshall algorithm" in three kernels
// (blocked-fw): the pivot tile is closed; the tiles of its row and of its column are multiplied by
// it; all other tiles are combined with the products of the pivot's column and row. The same code
// computes all products, which are min-plus products. Each of 256 threads has 8 rows of 32 bytes in
// its registers: 8 x 8 words of 32 bits, or 8 x 4 doubles.
//
// The left factor is read by columns. The pivot tile and its column are therefore also stored
// transposed, with each distance spread over a word, so that asynchronous copies of 16 bytes load
// rows of both factors in the form in which the product reads them.
//
// Bounds on an H200: 16.4 T relaxations/s of nonnegative floats and of int32, 31.7 T of pairs of
// uint16, and 8.2 T of doubles, each of which takes four instructions. A step of n x n reads and
// writes the matrix once, in 8 n^2 / (4.3 TB/s) for 4-byte distances, which is a quarter of the
// time of 128 n^2 relaxations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <cuda_pipeline.h>

#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/apsp/matrix/min_plus.cuh"

namespace wayfront::gpu::apsp {

/// Words that a thread loads and stores together, as 16 bytes.
[[nodiscard]] __device__ inline uint4 packed(const std::uint32_t (&words)[4])
{
    return {words[0], words[1], words[2], words[3]};
}
[[nodiscard]] __device__ inline double2 packed(const double (&words)[2])
{
    return {words[0], words[1]};
}
__device__ inline void unpack(uint4 from, std::uint32_t* to)
{
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
    to[3] = from.w;
}
__device__ inline void unpack(double2 from, double* to)
{
    to[0] = from.x;
    to[1] = from.y;
}

/// The min-plus product of two factors that one block of 256 threads computes: kTileRows rows of
/// kWords words. A thread has groups of kGroup words, which are 16 bytes, in groups of as many
/// neighbouring rows. If a group has four words, the thread has rows 4 ty .. 4 ty + 3 and 64 + 4 ty
/// .. 64 + 4 ty + 3, and the words likewise with tx. If a group has two words, it has rows 2 ty, 2
/// ty + 1, 32 + 2 ty, 32 + 2 ty + 1, and so on. So a thread reads 16 bytes at a time. Eight
/// neighbouring lanes, whose reads are served together, read 128 bytes without gaps or the same 16
/// bytes, and so no bank twice.
template <typename Sums, std::uint32_t Groups>
class TileProduct
{
    static constexpr std::uint32_t kRowsOfThread = kTileRows / 16;

public:
    using Word = typename Sums::Word;
    using Vector = decltype(packed(std::declval<const Word (&)[16 / sizeof(Word)]>()));
    static constexpr std::uint32_t kGroup = 16 / sizeof(Word);
    static constexpr std::uint32_t kGroupStep = 16 * kGroup;      // distance between two groups of a thread, in words
    static constexpr std::uint32_t kWords = kGroupStep * Groups;  // words in a row of the product
    static constexpr std::uint32_t kRowGroups = kRowsOfThread / kGroup;
    // Depth of a chunk. Two chunks of doubles must fit 99 KiB of shared memory, which is the limit
    // of some GPUs.
    static constexpr std::uint32_t kDeep = sizeof(Word) * Groups > 16 ? 16 : 32;
    static constexpr std::uint32_t kChunkWords = kDeep * (kTileRows + kWords);
    static constexpr std::size_t kSharedBytes = 2 * kChunkWords * sizeof(Word);

    __device__ explicit TileProduct(Word* shared) : shared_(shared) {}

    /// Loads the tile that is combined with the product.
    __device__ void load(const Word* tile, std::size_t stride)
    {
        for_each_group([&](std::uint32_t row, std::uint32_t word, Word(&group)[kGroup]) {
            unpack(__ldcs(reinterpret_cast<const Vector*>(tile + row * stride + word)), group);
        });
    }

    /// Stores the tile, without the words from `kept` to `kept_end`.
    __device__ void store(Word* tile, std::size_t stride, std::uint32_t kept = 0, std::uint32_t kept_end = 0)
    {
        for_each_group([&](std::uint32_t row, std::uint32_t word, const Word(&group)[kGroup]) {
            if (word >= kept && word < kept_end) return;
            __stcg(reinterpret_cast<Vector*>(tile + row * stride + word), packed(group));
        });
    }

    /// Stores the tile transposed, with each distance spread over a word.
    __device__ void store_transposed(Word* columns, std::size_t stride)
    {
#pragma unroll
        for (std::uint32_t group = 0; group < Groups; ++group)
#pragma unroll
            for (std::uint32_t k = 0; k < kGroup; ++k)
#pragma unroll
                for (int place = 0; place < Sums::kOfWord; ++place) {
                    Word* const column =
                        columns + ((group * kGroupStep + kGroup * tx() + k) * Sums::kOfWord + place) * stride;
#pragma unroll
                    for (std::uint32_t i = 0; i < kRowsOfThread; i += kGroup) {
                        Word rows[kGroup];
#pragma unroll
                        for (std::uint32_t e = 0; e < kGroup; ++e)
                            rows[e] = Sums::spread(values_[i + e][group][k], place);
                        __stcg(reinterpret_cast<Vector*>(column + own_row(i)), packed(rows));
                    }
                }
    }

    /// Combines the tile with the product of `left`, which has kTileRows words for each of `depth`
    /// columns, and `right`, which has kWords words for each of `depth` rows. Pre: `depth` is a
    /// multiple of kDeep.
    __device__ void multiply(const Word* left, std::size_t left_stride, const Word* right, std::size_t right_stride,
                             std::uint32_t depth = kTileRows)
    {
        const std::uint32_t chunks = depth / kDeep;
        load_chunk(0, left, left_stride, right, right_stride);
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            if (chunk + 1 < chunks)
                load_chunk((chunk + 1) % 2, left + (chunk + 1) * kDeep * left_stride, left_stride,
                           right + (chunk + 1) * kDeep * right_stride, right_stride);
            else
                __pipeline_commit();
            __pipeline_wait_prior(1);
            __syncthreads();
            take_chunk(shared_ + (chunk % 2) * kChunkWords);
            __syncthreads();
        }
    }

    /// Number of words of shared memory that close() uses.
    static constexpr std::uint32_t kClosureWords = 4 * (kTileRows + kWords);

    /// Closes the tile by Floyd-Warshall, with two vertices between barriers. The first `vertices`
    /// vertices have arcs. Pre: the tile is square, with one distance in a word.
    __device__ void close(Word* shared, std::uint32_t vertices)
    {
        static_assert(Sums::kOfWord == 1 && Groups == kRowGroups);
        close_groups(shared, vertices, std::make_integer_sequence<std::uint32_t, Groups>{});
    }

    /// Calls f(row, word, group) for the thread's groups of words.
    template <typename F>
    __device__ void for_each_group(F&& f)
    {
#pragma unroll
        for (std::uint32_t i = 0; i < kRowsOfThread; ++i)
#pragma unroll
            for (std::uint32_t group = 0; group < Groups; ++group)
                f(own_row(i), group * kGroupStep + kGroup * tx(), values_[i][group]);
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
        return (i / kGroup) * kGroupStep + kGroup * ty() + i % kGroup;
    }

private:
    __device__ void load_chunk(std::uint32_t slot, const Word* left, std::size_t left_stride, const Word* right,
                               std::size_t right_stride)
    {
        Word* const chunk = shared_ + slot * kChunkWords;
        load_rows<kTileRows>(chunk, left, left_stride);
        load_rows<kWords>(chunk + kDeep * kTileRows, right, right_stride);
        __pipeline_commit();
    }

    /// Starts to copy kDeep rows of `Words` words.
    template <std::uint32_t Words>
    static __device__ void load_rows(Word* to, const Word* from, std::size_t stride)
    {
        constexpr std::uint32_t groups = Words / kGroup;
#pragma unroll
        for (std::uint32_t i = 0; i < kDeep * groups / kTileThreads; ++i) {
            const std::uint32_t at = i * kTileThreads + threadIdx.x;
            __pipeline_memcpy_async(to + kGroup * at, from + at / groups * stride + at % groups * kGroup, 16);
        }
    }

    __device__ void take_chunk(const Word* chunk)
    {
        const Word* const left = chunk + kGroup * ty();
        const Word* const right = chunk + kDeep * kTileRows + kGroup * tx();
#pragma unroll 4
        for (std::uint32_t k = 0; k < kDeep; k += kAtOnce) {
            Word a[kAtOnce][kRowsOfThread];
            Word b[kAtOnce][kWordsOfThread];
#pragma unroll
            for (std::uint32_t j = 0; j < kAtOnce; ++j) {
#pragma unroll
                for (std::uint32_t group = 0; group < kRowGroups; group += 2) {
                    copy_group(a[j] + kGroup * group, left + (k + j) * kTileRows + kGroupStep * group);
                    copy_group(a[j] + kGroup * (group + 1), left + (k + j) * kTileRows + kGroupStep * (group + 1));
                }
#pragma unroll
                for (std::uint32_t group = 0; group < Groups; ++group)
                    copy_group(b[j] + kGroup * group, right + (k + j) * kWords + kGroupStep * group);
            }
#pragma unroll
            for (std::uint32_t row = 0; row < kRowsOfThread; ++row)
#pragma unroll
                for (std::uint32_t word = 0; word < kWordsOfThread; ++word) {
                    Word& least = values_[row][word / kGroup][word % kGroup];
                    if constexpr (kAtOnce == 2)
                        Sums::relax(least, a[0][row], b[0][word], a[1][row], b[1][word]);
                    else
                        Sums::relax_one(least, a[0][row], b[0][word]);
                }
        }
    }

    // The number of a group is a template argument, so that the values stay in registers.
    template <std::uint32_t... Numbers>
    __device__ void close_groups(Word* shared, std::uint32_t vertices,
                                 std::integer_sequence<std::uint32_t, Numbers...> /*groups*/)
    {
        (close_group<Numbers>(shared, vertices), ...);
    }

    /// Adds the paths over the vertices of one group of rows of each thread.
    template <std::uint32_t Number>
    __device__ void close_group(Word* shared, std::uint32_t vertices)
    {
        for (std::uint32_t owner = 0; owner < 16 && Number * kGroupStep + kGroup * owner < vertices; ++owner)
#pragma unroll
            for (std::uint32_t e = 0; e < kGroup; e += 2) {
                const std::uint32_t k = Number * kGroupStep + kGroup * owner + e;
                Word* const rows = shared + k / 2 % 2 * (kClosureWords / 2);
                Word* const columns = rows + 2 * kWords;
                publish<Number>(owner, e, rows, columns);
                // Until the next barrier, threads read the other half of the shared memory.
                __syncthreads();
                relax_pair(rows, columns, rows[k + 1], columns[k + 1]);
            }
    }

    /// Stores two rows and two columns of the tile in shared memory: those of the owner's group
    /// from element e on.
    template <std::uint32_t Number>
    __device__ void publish(std::uint32_t owner, std::uint32_t e, Word* rows, Word* columns)
    {
#pragma unroll
        for (std::uint32_t other = 0; other < Groups; ++other) {
            if (ty() == owner)
#pragma unroll
                for (std::uint32_t i = 0; i < 2; ++i)
                    *reinterpret_cast<Vector*>(rows + i * kWords + other * kGroupStep + kGroup * tx()) =
                        packed(values_[Number * kGroup + e + i][other]);
            if (tx() == owner)
#pragma unroll
                for (std::uint32_t i = 0; i < 2; ++i) {
                    Word column[kGroup];
#pragma unroll
                    for (std::uint32_t row = 0; row < kGroup; ++row)
                        column[row] = values_[other * kGroup + row][Number][e + i];
                    *reinterpret_cast<Vector*>(columns + i * kTileRows + other * kGroupStep + kGroup * ty()) =
                        packed(column);
                }
        }
    }

    /// Adds the paths over two vertices. `rows`, `columns`: rows and columns of these vertices.
    /// `forward`, `backward`: distances from the first to the second vertex and back.
    __device__ void relax_pair(const Word* rows, const Word* columns, Word forward, Word backward)
    {
        Word row_0[kWordsOfThread], row_1[kWordsOfThread], column_0[kRowsOfThread], column_1[kRowsOfThread];
#pragma unroll
        for (std::uint32_t group = 0; group < Groups; ++group) {
            copy_group(row_0 + kGroup * group, rows + group * kGroupStep + kGroup * tx());
            copy_group(row_1 + kGroup * group, rows + kWords + group * kGroupStep + kGroup * tx());
            copy_group(column_0 + kGroup * group, columns + group * kGroupStep + kGroup * ty());
            copy_group(column_1 + kGroup * group, columns + kTileRows + group * kGroupStep + kGroup * ty());
        }
        // Computes the second vertex's row and column after the step of the first vertex.
#pragma unroll
        for (std::uint32_t i = 0; i < kRowsOfThread; ++i) {
            Sums::relax_one(row_1[i], backward, row_0[i]);
            Sums::relax_one(column_1[i], column_0[i], forward);
        }
#pragma unroll
        for (std::uint32_t row = 0; row < kRowsOfThread; ++row)
#pragma unroll
            for (std::uint32_t word = 0; word < kWordsOfThread; ++word)
                Sums::relax(values_[row][word / kGroup][word % kGroup], column_0[row], row_0[word], column_1[row],
                            row_1[word]);
    }

    static __device__ void copy_group(Word* to, const Word* from)
    {
        unpack(*reinterpret_cast<const Vector*>(from), to);
    }

    static constexpr std::uint32_t kWordsOfThread = Groups * kGroup;
    /// Number of vertices whose paths are added together. Sums::relax() adds two sums in fewer
    /// instructions, except for doubles, whose factors need the registers.
    static constexpr std::uint32_t kAtOnce = sizeof(Word) == sizeof(std::uint32_t) ? 2 : 1;

    Word* shared_;
    Word values_[kRowsOfThread][Groups][kGroup];
};

}  // namespace wayfront::gpu::apsp
