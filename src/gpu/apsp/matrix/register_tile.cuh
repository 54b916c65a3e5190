// A small tile of a matrix of distances in the registers of a thread block, for matrices that are
// too small to fill a GPU with large tiles.
//
// A block has 256 threads, 16 by 16. A thread has 2 or more rows and columns of the tile, in
// contiguous groups of up to 16 bytes. A thread reads a group at once, and the lanes of a warp read
// no bank of the shared memory twice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/matrix/min_plus.cuh"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kRegisterTileThreads = 256;

/// Words that a thread loads and stores together.
template <typename Word, std::uint32_t Size>
struct alignas(sizeof(Word) * Size) WordGroup
{
    Word words[Size];
};

/// A rectangle of a tile: `rows` rows from `first_row` on, and `columns` columns from
/// `first_column` on.
struct TilePart
{
    std::uint32_t first_row;
    std::uint32_t rows;
    std::uint32_t first_column;
    std::uint32_t columns;
};

/// A tile of 16 Rows x 16 Columns distances, with one distance in a word. Rows and Columns are 2, 4
/// or a multiple of 4.
template <typename Sums, std::uint32_t Rows, std::uint32_t Columns>
class RegisterTile
{
public:
    static_assert(Sums::kOfWord == 1);
    using Word = typename Sums::Word;
    static constexpr std::uint32_t kRows = 16 * Rows;
    static constexpr std::uint32_t kColumns = 16 * Columns;
    /// Number of words of shared memory that close() uses.
    static constexpr std::uint32_t kClosureWords = 4 * (kRows + kColumns);

    __device__ void fill(Word word)
    {
#pragma unroll
        for (std::uint32_t i = 0; i < Rows; ++i)
#pragma unroll
            for (std::uint32_t j = 0; j < Columns; ++j) values_[i][j] = word;
    }

    __device__ void load(const Word* tile, std::size_t stride)
    {
#pragma unroll
        for (std::uint32_t i = 0; i < Rows; ++i)
#pragma unroll
            for (std::uint32_t j = 0; j < Columns; j += kColumnGroup)
                read<kColumnGroup>(&values_[i][j], tile + row(i) * stride + column(j));
    }

    __device__ void store(Word* tile, std::size_t stride) const
    {
#pragma unroll
        for (std::uint32_t i = 0; i < Rows; ++i)
#pragma unroll
            for (std::uint32_t j = 0; j < Columns; j += kColumnGroup)
                write<kColumnGroup>(tile + row(i) * stride + column(j), &values_[i][j]);
    }

    /// Stores a part of the tile. Pre: `part.columns` and `part.first_column` are multiples of 4.
    __device__ void store_part(const TilePart& part, Word* to, std::size_t stride) const
    {
#pragma unroll
        for (std::uint32_t i = 0; i < Rows; ++i) {
            if (row(i) - part.first_row >= part.rows) continue;
#pragma unroll
            for (std::uint32_t j = 0; j < Columns; j += kColumnGroup)
                if (column(j) - part.first_column < part.columns)
                    write<kColumnGroup>(to + (row(i) - part.first_row) * stride + column(j) - part.first_column,
                                        &values_[i][j]);
        }
    }

    /// Stores the columns from `first` to `first` + `count` - 1 as rows of `to`.
    __device__ void store_columns(std::uint32_t first, std::uint32_t count, Word* to, std::size_t stride) const
    {
#pragma unroll
        for (std::uint32_t j = 0; j < Columns; ++j) {
            if (column(j) - first >= count) continue;
#pragma unroll
            for (std::uint32_t i = 0; i < Rows; i += kRowGroup)
                write_column(i, j, to + (column(j) - first) * stride + row(i));
        }
    }

    /// Combines the tile with the min-plus product of two factors in shared memory: `left` has
    /// kRows words for each of `depth` columns, `right` has kColumns words for each of `depth`
    /// rows. Pre: `depth` is even.
    __device__ void multiply(const Word* left, std::uint32_t left_stride, const Word* right, std::uint32_t right_stride,
                             std::uint32_t depth)
    {
#pragma unroll(kPairs)
        for (std::uint32_t k = 0; k < depth; k += 2)
            relax(left + k * left_stride, left + (k + 1) * left_stride, right + k * right_stride,
                  right + (k + 1) * right_stride);
    }

    /// Closes the tile by Floyd-Warshall, with two vertices between barriers. The first `vertices`
    /// rows and columns have vertices. The last operation reads the shared memory. Pre: the tile is
    /// square.
    __device__ void close(Word* shared, std::uint32_t vertices)
    {
        static_assert(Rows == Columns && (Rows == 2 || Rows == 4));
#pragma unroll
        for (std::uint32_t first = 0; first < Rows; first += kRowGroup) close_group(shared, vertices, first);
    }

private:
    static constexpr std::uint32_t kMostOfGroup = 16 / sizeof(Word);
    static constexpr std::uint32_t kRowGroup = Rows < kMostOfGroup ? Rows : kMostOfGroup;
    static constexpr std::uint32_t kColumnGroup = Columns < kMostOfGroup ? Columns : kMostOfGroup;

    /// Closes the tile for the vertices of one group: the group of each thread's rows that begins
    /// with row `first`.
    __device__ void close_group(Word* shared, std::uint32_t vertices, std::uint32_t first)
    {
        for (std::uint32_t group = 0; (kRowGroup == Rows || group < 16) && 16 * first + group * kRowGroup < vertices;
             ++group)
#pragma unroll
            for (std::uint32_t e = 0; e < kRowGroup; e += 2) {
                const std::uint32_t k = 16 * first + kRowGroup * group + e;
                Word* const rows = shared + k / 2 % 2 * (kClosureWords / 2);
                Word* const columns = rows + 2 * kColumns;
                publish(group, first + e, rows, columns);
                // Until the next barrier, threads read the other half of the shared memory.
                __syncthreads();
                const Word from_first = rows[k + 1];      // distance from k to k + 1
                const Word from_second = columns[k + 1];  // distance from k + 1 to k
                Word row_0[Columns], row_1[Columns], column_0[Rows], column_1[Rows];
#pragma unroll
                for (std::uint32_t j = 0; j < Columns; j += kColumnGroup) {
                    read<kColumnGroup>(row_0 + j, rows + column(j));
                    read<kColumnGroup>(row_1 + j, rows + kColumns + column(j));
                }
#pragma unroll
                for (std::uint32_t i = 0; i < Rows; i += kRowGroup) {
                    read<kRowGroup>(column_0 + i, columns + row(i));
                    read<kRowGroup>(column_1 + i, columns + kRows + row(i));
                }
                // Computes the row and the column of k + 1 after step k.
#pragma unroll
                for (std::uint32_t j = 0; j < Columns; ++j) Sums::relax_one(row_1[j], from_second, row_0[j]);
#pragma unroll
                for (std::uint32_t i = 0; i < Rows; ++i) Sums::relax_one(column_1[i], column_0[i], from_first);
#pragma unroll
                for (std::uint32_t i = 0; i < Rows; ++i)
#pragma unroll
                    for (std::uint32_t j = 0; j < Columns; ++j)
                        Sums::relax(values_[i][j], column_0[i], row_0[j], column_1[i], row_1[j]);
            }
    }

    // Number of pairs of columns and rows of the factors whose loads are in flight together.
    static constexpr std::uint32_t kPairs = 8;

    [[nodiscard]] static __device__ std::uint32_t tx()
    {
        return threadIdx.x % 16;
    }
    [[nodiscard]] static __device__ std::uint32_t ty()
    {
        return threadIdx.x / 16;
    }
    [[nodiscard]] static __device__ std::uint32_t row(std::uint32_t i)
    {
        return i / kRowGroup * (16 * kRowGroup) + kRowGroup * ty() + i % kRowGroup;
    }
    [[nodiscard]] static __device__ std::uint32_t column(std::uint32_t j)
    {
        return j / kColumnGroup * (16 * kColumnGroup) + kColumnGroup * tx() + j % kColumnGroup;
    }

    template <std::uint32_t Size>
    static __device__ void read(Word* to, const Word* from)
    {
        const WordGroup<Word, Size> group = *reinterpret_cast<const WordGroup<Word, Size>*>(from);
#pragma unroll
        for (std::uint32_t e = 0; e < Size; ++e) to[e] = group.words[e];
    }
    template <std::uint32_t Size>
    static __device__ void write(Word* to, const Word* from)
    {
        WordGroup<Word, Size> group;
#pragma unroll
        for (std::uint32_t e = 0; e < Size; ++e) group.words[e] = from[e];
        *reinterpret_cast<WordGroup<Word, Size>*>(to) = group;
    }
    __device__ void write_column(std::uint32_t i, std::uint32_t j, Word* to) const
    {
        Word words[kRowGroup];
#pragma unroll
        for (std::uint32_t e = 0; e < kRowGroup; ++e) words[e] = values_[i + e][j];
        write<kRowGroup>(to, words);
    }

    /// Stores two rows and two columns of the tile for close(): elements e and e + 1 of the threads
    /// of a group.
    __device__ void publish(std::uint32_t group, std::uint32_t e, Word* rows, Word* columns) const
    {
        if (ty() == group) {
#pragma unroll
            for (std::uint32_t j = 0; j < Columns; j += kColumnGroup) {
                write<kColumnGroup>(rows + column(j), values_[e] + j);
                write<kColumnGroup>(rows + kColumns + column(j), values_[e + 1] + j);
            }
        }
        if (tx() == group) {
#pragma unroll
            for (std::uint32_t i = 0; i < Rows; i += kRowGroup) {
                write_column(i, e, columns + row(i));
                write_column(i, e + 1, columns + kRows + row(i));
            }
        }
    }

    __device__ void relax(const Word* left_0, const Word* left_1, const Word* right_0, const Word* right_1)
    {
        Word a[2][Rows], b[2][Columns];
#pragma unroll
        for (std::uint32_t i = 0; i < Rows; i += kRowGroup) {
            read<kRowGroup>(a[0] + i, left_0 + row(i));
            read<kRowGroup>(a[1] + i, left_1 + row(i));
        }
#pragma unroll
        for (std::uint32_t j = 0; j < Columns; j += kColumnGroup) {
            read<kColumnGroup>(b[0] + j, right_0 + column(j));
            read<kColumnGroup>(b[1] + j, right_1 + column(j));
        }
#pragma unroll
        for (std::uint32_t i = 0; i < Rows; ++i)
#pragma unroll
            for (std::uint32_t j = 0; j < Columns; ++j) Sums::relax(values_[i][j], a[0][i], b[0][j], a[1][i], b[1][j]);
    }

    Word values_[Rows][Columns];
};

}  // namespace wayfront::gpu::apsp
